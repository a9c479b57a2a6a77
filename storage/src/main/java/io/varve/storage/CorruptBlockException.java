package io.varve.storage;

/**
 * Stored bytes that contradict their checksum or their own header. Names the place. The caller
 * answers "unavailable, being rebuilt", never with the bytes.
 */
public final class CorruptBlockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CorruptBlockException(String message) {
    super(message);
  }
}
