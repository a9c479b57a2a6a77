package io.varve.storage;

/** A store that can't answer now: restoring, rebuilding, moving or closed. Retry shortly. */
public final class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreUnavailableException(String message) {
    super(message);
  }
}
