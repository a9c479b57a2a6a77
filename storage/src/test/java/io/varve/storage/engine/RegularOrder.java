package io.varve.storage.engine;

import io.varve.storage.rows.RowPack;
import java.util.SplittableRandom;

/** Sensors that send in turn, each at exact intervals, two-decimal values, in order, in one day. */
final class RegularOrder implements StorageBenchmark.Arrivals {
  private static final long DAY_MICROS = 86_400_000_000L;

  private final SplittableRandom random = new SplittableRandom(42);
  private final RowPack.Writer writer = new RowPack.Writer();
  private final byte[][] ids;
  private final double[] walk;
  private final long stepMicros;
  private long sent;

  RegularOrder(int sensors, long stepMicros) {
    this.ids = new byte[sensors][];
    this.walk = new double[sensors];
    this.stepMicros = stepMicros;
    for (int i = 0; i < sensors; i++) {
      ids[i] = ArrivalOrder.id(i);
      walk[i] = 20 + random.nextInt(60);
    }
  }

  @Override
  public byte[] record(int rows) {
    writer.clear();
    for (int i = 0; i < rows; i++, sent++) {
      int sensor = (int) (sent % ids.length);
      long since =
          sent / ids.length * stepMicros + stepMicros * sensor / ids.length / 1_000 * 1_000;
      long timestamp = RecordStream.JUNE + since % DAY_MICROS;
      walk[sensor] += random.nextDouble() - 0.5;
      long bits = Double.doubleToRawLongBits(Math.round(walk[sensor] * 100) / 100.0);
      writer.add(ids[sensor], 0, ids[sensor].length, 0, timestamp, 0, bits);
    }
    return writer.toBytes();
  }
}
