package io.varve.server.node;

/** Something outside this process keeps a node from starting, said for a person. */
public final class NodeStartException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String why;
  private final String whatToDo;
  private final boolean unreachable;

  NodeStartException(
      String what, String why, String whatToDo, boolean unreachable, Throwable cause) {
    super(what, cause);
    this.why = why;
    this.whatToDo = whatToDo;
    this.unreachable = unreachable;
  }

  NodeStartException(String what, String why, String whatToDo, Throwable cause) {
    this(what, why, whatToDo, false, cause);
  }

  /** The cause, in one line; empty where the message says it. */
  public String why() {
    return why;
  }

  /** The next step, in one line. */
  public String whatToDo() {
    return whatToDo;
  }

  /** Whether the brokers did not answer. */
  public boolean unreachable() {
    return unreachable;
  }
}
