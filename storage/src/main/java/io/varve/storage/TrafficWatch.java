package io.varve.storage;

/**
 * Is shown some of the rows that a store takes in, and what is read from it, so that somebody can
 * tell which partitions are busy. A port; {@link #rowsUntilShown} and {@link #written} are called
 * by a store's writer, {@link #read} by any thread.
 */
public interface TrafficWatch {
  /** Watches nothing. */
  TrafficWatch NONE =
      new TrafficWatch() {
        @Override
        public int rowsUntilShown() {
          return Integer.MAX_VALUE;
        }

        @Override
        public void written(
            SensorId sensor, int day, int shard, long timestampMicros, int standsFor) {}

        @Override
        public void read(SensorId sensor, int day, long rows, long blocks) {}
      };

  /** Chooses the next row to be shown: 1 for the very next, 2 for the one after it, and so on. */
  int rowsUntilShown();

  /**
   * Shows a row that was put into the store. Rows that a restore brings are not shown: they were
   * when they came.
   *
   * @param day UTC day number of the row
   * @param standsFor rows since the one shown before, this one included
   */
  void written(SensorId sensor, int day, int shard, long timestampMicros, int standsFor);

  /**
   * Tells that a fragment was read.
   *
   * @param rows rows handed to the reader
   * @param blocks blocks looked at
   */
  void read(SensorId sensor, int day, long rows, long blocks);
}
