package io.varve.server.config;

/**
 * A setting that cannot be used. The message says which, where it was given and why; {@link
 * #whatToDo} gives a right example.
 */
public final class InvalidSettingException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String whatToDo;

  InvalidSettingException(String message, String whatToDo) {
    super(message);
    this.whatToDo = whatToDo;
  }

  /** The next step, in one line. */
  public String whatToDo() {
    return whatToDo;
  }
}
