package io.varve.server.scan;

/** A topic cannot be read. The message says why. */
public final class ScanException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What kind of failure this is. */
  public enum Kind {
    /** A consumer setting is wrong. */
    SETTINGS,
    /** No broker answers, or none any more. */
    UNREACHABLE,
    /** The brokers have no such topic. */
    NO_TOPIC
  }

  private final Kind kind;

  ScanException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  ScanException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
