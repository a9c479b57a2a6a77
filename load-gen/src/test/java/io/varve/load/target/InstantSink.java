package io.varve.load.target;

/** A sink that settles each record before {@link #send} returns, so that nothing is waited for. */
public interface InstantSink extends RecordSink {
  @Override
  default long blockedNanos() {
    return 0;
  }

  @Override
  default void flush() {}

  @Override
  default void giveUp() {}

  @Override
  default void close() {}
}
