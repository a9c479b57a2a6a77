package io.varve.server.broker;

/** The broker did not start. The message says why; {@link #whatToDo} what the user can do. */
public final class BrokerStartException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String whatToDo;

  BrokerStartException(String message, String whatToDo, Throwable cause) {
    super(message, cause);
    this.whatToDo = whatToDo;
  }

  /** The next step, in one line. */
  public String whatToDo() {
    return whatToDo;
  }
}
