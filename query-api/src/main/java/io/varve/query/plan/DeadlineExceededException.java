package io.varve.query.plan;

/** A query whose time was used up before there was anything to answer or a place to resume at. */
public final class DeadlineExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DeadlineExceededException(String message) {
    super(message, null, false, false);
  }
}
