package io.varve.schemas;

/**
 * Thrown at start if a folder of writers' schemas cannot be used as it is.
 *
 * <p>The message names each file, what is wrong with it and what to do; show it to the operator.
 */
public final class SchemasRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  SchemasRefusedException(String message) {
    super(message);
  }
}
