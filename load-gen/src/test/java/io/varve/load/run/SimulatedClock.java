package io.varve.load.run;

/** Time that passes only when someone lets it. Single-threaded. */
final class SimulatedClock implements Clock {
  private long now = 5_000_000_000L;

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public void await(long nanos) {
    now = Math.max(now, nanos);
  }

  void pass(long nanos) {
    now += nanos;
  }
}
