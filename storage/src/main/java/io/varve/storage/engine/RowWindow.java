package io.varve.storage.engine;

/**
 * The next rows of a record, which find their sensors and partitions together.
 *
 * <p>A row by itself waits for one piece of memory after another: its sensor's place in the table,
 * the sensor, the partition, the head block's next place. Sensors take turns, so none of it is in
 * the processor's caches by the time of the sensor's next row. Here all rows take each step before
 * any takes the next, and what they wait for comes at once (docs/decisions/0019).
 *
 * <p>Single-threaded, under the store's lock.
 */
final class RowWindow {
  /** Rows of a full window. */
  static final int ROWS = 64;

  int size;
  final int[] idAt = new int[ROWS];
  final int[] idLength = new int[ROWS];
  final int[] shards = new int[ROWS];
  final long[] timestamps = new long[ROWS];
  final long[] sequences = new long[ROWS];
  final long[] valueBits = new long[ROWS];
  final SensorEntry[] sensors = new SensorEntry[ROWS];
  private final SensorTable.Batch batch = new SensorTable.Batch(ROWS);
  private final Partition[] heads = new Partition[ROWS];

  /** Keeps the reads ahead from being left out as useless. */
  private long touched;

  void add(int at, int length, int shard, long timestamp, long sequence, long value) {
    idAt[size] = at;
    idLength[size] = length;
    shards[size] = shard;
    timestamps[size] = timestamp;
    sequences[size] = sequence;
    valueBits[size++] = value;
  }

  /** Finds every row's sensor, adding those that are new, and reads ahead where rows will go. */
  void find(byte[] record, SensorTable table) {
    table.findOrAdd(record, idAt, idLength, size, batch, sensors);
    int known = 0;
    for (int i = 0; i < size; i++) {
      Partition partition = sensors[i].current;
      if (partition != null) {
        heads[known++] = partition;
      }
    }
    long sum = 0;
    for (int i = 0; i < known; i++) {
      sum += heads[i].rows();
    }
    for (int i = 0; i < known; i++) {
      sum += heads[i].touchHead();
    }
    touched = sum;
  }

  long touched() {
    return touched;
  }
}
