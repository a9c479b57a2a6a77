package io.varve.load.target;

/** A target that cannot be used, found before anything was sent to it. */
public final class TargetException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What is wrong. */
  public enum Kind {
    /** Nobody answers at the address. */
    UNREACHABLE,
    /** It answers, but the topic that is to be fed does not exist. */
    NO_TOPIC,
    /** The address or a setting cannot be used. */
    SETTINGS,
    /** The run was stopped before it began. */
    STOPPED
  }

  private final Kind kind;

  public TargetException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public TargetException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
