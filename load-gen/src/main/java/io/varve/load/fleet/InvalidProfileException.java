package io.varve.load.fleet;

/** A profile, or a knob given beside it, that cannot be used; the message says where and why. */
public final class InvalidProfileException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String whatToDo;

  InvalidProfileException(String message, String whatToDo) {
    super(message);
    this.whatToDo = whatToDo;
  }

  /** The next step, for a person. */
  public String whatToDo() {
    return whatToDo;
  }
}
