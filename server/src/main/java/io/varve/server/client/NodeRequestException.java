package io.varve.server.client;

/** A node did not give what it was asked for. The message says what happened. */
public final class NodeRequestException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What kind of failure this is. */
  public enum Kind {
    /** No answer, or none that a Varve node would give. */
    UNREACHABLE,
    /** The node answers, but not this now; it says when to ask again. */
    NOT_READY,
    /** The node refuses the question as wrong. */
    REFUSED,
    /** The node failed. */
    FAILED
  }

  private final Kind kind;
  private final String why;

  NodeRequestException(Kind kind, String message, String why, Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.why = why;
  }

  NodeRequestException(Kind kind, String message, String why) {
    super(message);
    this.kind = kind;
    this.why = why;
  }

  public Kind kind() {
    return kind;
  }

  /** The cause, in one line. */
  public String why() {
    return why;
  }
}
