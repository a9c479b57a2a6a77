package io.varve.server.node;

/** The data folder cannot be used. The message says why; {@link #whatToDo} what the user can do. */
public final class DataFolderException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String whatToDo;

  DataFolderException(String message, String whatToDo) {
    super(message);
    this.whatToDo = whatToDo;
  }

  /** The next step, in one line. */
  public String whatToDo() {
    return whatToDo;
  }
}
