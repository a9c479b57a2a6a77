package io.varve.server.put;

/** A file, as a whole or from some line on, cannot be put. The message says why. */
public final class UnusableFileException extends Exception {
  private static final long serialVersionUID = 1L;

  UnusableFileException(String message) {
    super(message);
  }

  UnusableFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
