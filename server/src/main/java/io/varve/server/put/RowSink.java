package io.varve.server.put;

/** Where rows go. A port: a topic, or nowhere in a dry run. */
public interface RowSink extends AutoCloseable {
  /** Takes one row; may wait when brokers are slower than the file. */
  void row(String sensorId, long timestampMicros, double value, long sequence);

  /** Waits until every row taken is acknowledged or given up. */
  void finish();

  /** Rows acknowledged. */
  long acknowledged();

  /** Rows given up. */
  long failed();

  @Override
  void close();

  /** A sink that keeps nothing and acknowledges at once. */
  static RowSink dryRun() {
    return new RowSink() {
      private long rows;

      @Override
      public void row(String sensorId, long timestampMicros, double value, long sequence) {
        rows++;
      }

      @Override
      public void finish() {}

      @Override
      public long acknowledged() {
        return rows;
      }

      @Override
      public long failed() {
        return 0;
      }

      @Override
      public void close() {}
    };
  }
}
