package io.varve.storage.engine;

import io.varve.storage.rows.RowPack;
import java.util.SplittableRandom;

/**
 * Sensors that send in turn through one day, a share of the rows late: those come anywhere from
 * when they were due to the end of the day, so that they belong anywhere in what is stored by then.
 */
final class LateOrder implements StorageBenchmark.Arrivals {
  private static final long STEP_MICROS = 10_000_000;

  private final SplittableRandom random = new SplittableRandom(42);
  private final RowPack.Writer writer = new RowPack.Writer();
  private final byte[][] ids;
  private final double[] walk;
  private final int percent;
  private long sent;

  LateOrder(int percent, int sensors) {
    this.percent = percent;
    this.ids = new byte[sensors][];
    this.walk = new double[sensors];
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
      long turn = sent / ids.length;
      boolean late = turn > 0 && random.nextInt(100) < percent;
      long since = late ? random.nextLong(turn * STEP_MICROS) : turn * STEP_MICROS;
      long timestamp = RecordStream.JUNE + since / 1_000 * 1_000 + (late ? 1 + i : 0);
      walk[sensor] += random.nextDouble() - 0.5;
      long bits = Double.doubleToRawLongBits(Math.round(walk[sensor] * 100) / 100.0);
      writer.add(ids[sensor], 0, ids[sensor].length, 0, timestamp, 0, bits);
    }
    return writer.toBytes();
  }
}
