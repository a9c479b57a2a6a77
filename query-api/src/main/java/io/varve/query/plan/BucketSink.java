package io.varve.query.plan;

/** Where the buckets of a page go, one after another. */
@FunctionalInterface
public interface BucketSink {
  /**
   * Takes one bucket that is not empty.
   *
   * @param startMicros its first instant, which is its label
   * @param bucket borrowed until the call returns
   */
  void bucket(long startMicros, Bucket bucket);
}
