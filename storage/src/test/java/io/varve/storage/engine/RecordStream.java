package io.varve.storage.engine;

import io.varve.storage.SensorId;
import io.varve.storage.UtcDay;
import io.varve.storage.placement.Placement;
import io.varve.storage.rows.RowPack;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * An endless log of which every record follows from a seed and its offset alone, so that two
 * processes can agree on it without a word: rows of some sensors over a few days, a fifth of them
 * late, corrections of rows that are there, and rows sent again.
 *
 * <p>Values name the record that wrote them, so that a wrong one is never right by chance.
 */
final class RecordStream {
  /** 2024-06-01T00:00:00Z. */
  static final long JUNE = 1_717_200_000_000_000L;

  private static final long STEP_MICROS = 1_000;

  private final long seed;
  private final long microsPerRecord;
  private final byte[][] ids;
  private final RowPack.Writer writer = new RowPack.Writer();

  /**
   * @param sensors number of sensors; the first has half of all rows, and shards
   * @param recordsPerDay how many records bring the time one day on
   */
  RecordStream(long seed, int sensors, int recordsPerDay) {
    this.seed = seed;
    this.microsPerRecord = UtcDay.MICROS / recordsPerDay;
    this.ids = new byte[sensors][];
    for (int i = 0; i < sensors; i++) {
      String name = i % 3 == 2 ? "é".repeat(1 + i * 5 % 120) + i : "sensor-" + i;
      ids[i] = name.getBytes(StandardCharsets.UTF_8);
      SensorId.of(ids[i], 0, ids[i].length);
    }
  }

  /** Returns the record at an offset. */
  byte[] at(long offset) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + offset);
    writer.clear();
    int rows = 1 + random.nextInt(random.nextInt(8) == 0 ? 60 : 6);
    for (int i = 0; i < rows; i++) {
      add(random, offset, offset * 64 + i);
    }
    return writer.toBytes();
  }

  private void add(SplittableRandom random, long offset, double value) {
    int sensor = random.nextBoolean() ? 0 : random.nextInt(ids.length);
    long now = JUNE + offset * microsPerRecord / STEP_MICROS * STEP_MICROS;
    long back = random.nextInt(5) == 0 ? random.nextLong(UtcDay.MICROS * 3 / 2) : 0;
    // Few distinct instants near now, so that corrections and equal instants are common.
    long timestamp = now - back / STEP_MICROS * STEP_MICROS + random.nextInt(50) * STEP_MICROS;
    long sequence = random.nextInt(4) == 0 ? random.nextInt(3) - 1 : 0;
    // Some rows are sent again as they are: their value follows from their key.
    double kept = random.nextInt(10) == 0 ? timestamp : value;
    int shard = sensor == 0 ? Placement.shardOf(timestamp, sequence, 2) : 0;
    writer.add(
        ids[sensor],
        0,
        ids[sensor].length,
        shard,
        timestamp,
        sequence,
        Double.doubleToRawLongBits(kept));
  }

  /** The log of the first records. */
  Log first(long records) {
    Log log = new Log();
    for (long offset = 0; offset < records; offset++) {
      log.append(at(offset));
    }
    return log;
  }
}
