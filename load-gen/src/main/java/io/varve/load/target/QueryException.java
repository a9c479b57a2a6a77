package io.varve.load.target;

/** A question without an answer. */
public final class QueryException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean passing;

  /**
   * @param passing whether the same question may be answered later: nobody listens, the target
   *     starts, or it is overloaded. Else the answer is one that must never be given
   */
  public QueryException(boolean passing, String message, Throwable cause) {
    super(message, cause);
    this.passing = passing;
  }

  public QueryException(boolean passing, String message) {
    super(message);
    this.passing = passing;
  }

  /** Whether the same question may be answered later. */
  public boolean passing() {
    return passing;
  }
}
