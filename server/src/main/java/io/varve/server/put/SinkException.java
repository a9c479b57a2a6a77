package io.varve.server.put;

/** A topic cannot be written to. The message says why. */
public final class SinkException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What kind of failure this is. */
  public enum Kind {
    /** A producer setting is wrong. */
    SETTINGS,
    /** No broker answers. */
    UNREACHABLE,
    /** The brokers have no such topic. */
    NO_TOPIC
  }

  private final Kind kind;

  SinkException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  SinkException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
