package io.varve.load.target;

/** A system under load. */
public interface Target {
  /** What and where it is, in a few words. */
  String describe();

  /**
   * Opens the way in.
   *
   * @throws TargetException if it can't be fed
   */
  RecordSink openSink() throws TargetException;

  /** Opens the way to ask, for one thread. */
  Queries openQueries();
}
