package io.varve.load.fleet;

/** Takes what a fleet sends, in the order of sending. */
public interface FleetSink {
  /**
   * Takes one reading.
   *
   * @param dueNanos when it is to be sent, in nanoseconds since the start
   * @param sensor its sensor, from 0
   * @param tick which of the sensor's readings it is, from 0
   * @param version 1 for the first value of its key, 2 for the corrected one
   * @param timestampMicros microseconds since 1970
   * @param sequence how many readings of the sensor with the same timestamp come before it
   * @param valueBits the value as {@link Double#doubleToRawLongBits}
   */
  void reading(
      long dueNanos,
      int sensor,
      long tick,
      int version,
      long timestampMicros,
      long sequence,
      long valueBits,
      ReadingKind kind);

  /** Takes a bad record that comes from a sensor's direction. */
  void poison(long dueNanos, int sensor, Poison form);
}
