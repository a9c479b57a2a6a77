package io.varve.server.put;

/** A line that is no reading. The message says why; other lines go in. */
final class RefusedLineException extends Exception {
  private static final long serialVersionUID = 1L;

  RefusedLineException(String message) {
    super(message, null, false, false); // a value, not a fault: files may have millions of them
  }
}
