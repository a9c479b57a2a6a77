package io.varve.load.target;

/** A system under load. */
public interface Target {
  /** What and where it is, in a few words. */
  String describe();

  /**
   * Gets ready, before anything is opened; does nothing where it is. An interrupt ends it.
   *
   * @throws TargetException if it can't be used, or was interrupted
   */
  default void begin() throws TargetException {}

  /**
   * Opens the way in.
   *
   * @throws TargetException if it can't be fed
   */
  RecordSink openSink() throws TargetException;

  /** Opens the way to ask, for one thread. */
  Queries openQueries();
}
