package io.varve.ingest.shards;

/** A plan that was not, or not for certain, written. The message is a sentence for a person. */
public final class PlanNotWrittenException extends Exception {
  private static final long serialVersionUID = 1L;

  PlanNotWrittenException(String why) {
    super(why);
  }

  PlanNotWrittenException(String why, Throwable cause) {
    super(why, cause);
  }
}
