package io.varve.storage.engine;

import io.varve.storage.rows.RowPack;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A fleet's readings in the order in which they arrive: each sensor sends every 10 s ± 2 s, at
 * whole milliseconds, one sensor sends a twentieth of all rows, 2 % come up to ten minutes late,
 * 0.5 % come twice, and midnight falls at two fifths of the span.
 */
final class ArrivalOrder implements StorageBenchmark.Arrivals {
  private static final long INTERVAL_MICROS = 10_000_000;
  private static final long MAX_DELAY_MICROS = 600_000_000;

  private record Reading(int sensor, long timestampMicros, double value, long arrivalMicros) {}

  private final SplittableRandom random = new SplittableRandom(42);
  private final byte[][] ids;
  private final double[] walk;
  private final long[] phase;
  private final RowPack.Writer writer = new RowPack.Writer();

  /** Readings that wait for their tick, a ring by tick. */
  private final List<List<Reading>> waiting = new ArrayList<>();

  private final List<Reading> arrived = new ArrayList<>();
  private int next;
  private long tick;
  private final long startMicros;

  /**
   * @param rows how many rows will be asked for, about: places midnight
   * @param sensors number of sensors
   */
  ArrivalOrder(long rows, int sensors) {
    long ticks = rows / sensors + 1;
    long midnight = RecordStream.JUNE;
    startMicros = midnight - ticks * INTERVAL_MICROS * 2 / 5;
    ids = new byte[sensors][];
    walk = new double[sensors];
    phase = new long[sensors];
    for (int i = 0; i < sensors; i++) {
      ids[i] = id(i);
      walk[i] = 20 + random.nextInt(60);
      phase[i] = random.nextLong(INTERVAL_MICROS / 2);
    }
    for (int i = 0; i < MAX_DELAY_MICROS / INTERVAL_MICROS + 3; i++) {
      waiting.add(new ArrayList<>());
    }
  }

  static byte[] id(int sensor) {
    return "s%06d".formatted(sensor).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the next rows, packed. */
  @Override
  public byte[] record(int rows) {
    writer.clear();
    while (writer.rows() < rows) {
      if (next == arrived.size()) {
        tick();
      }
      Reading each = arrived.get(next++);
      byte[] id = ids[each.sensor];
      long bits = Double.doubleToRawLongBits(each.value);
      writer.add(id, 0, id.length, 0, each.timestampMicros, 0, bits);
    }
    return writer.toBytes();
  }

  private void tick() {
    long start = startMicros + tick * INTERVAL_MICROS;
    int hot = ids.length / 20;
    for (int i = 0; i < hot; i++) {
      send(0, start + i * INTERVAL_MICROS / hot);
    }
    for (int sensor = 1; sensor < ids.length; sensor++) {
      send(sensor, start + phase[sensor] + random.nextLong(4 * INTERVAL_MICROS / 10));
    }
    List<Reading> due = waiting.get((int) (tick % waiting.size()));
    arrived.clear();
    arrived.addAll(due);
    arrived.sort(Comparator.comparingLong(Reading::arrivalMicros));
    due.clear();
    next = 0;
    tick++;
  }

  private void send(int sensor, long timestampMicros) {
    timestampMicros -= Math.floorMod(timestampMicros, 1_000);
    walk[sensor] += random.nextDouble() - 0.5;
    double value = Math.round(walk[sensor] * 100) / 100.0;
    long delay = random.nextInt(50) == 0 ? random.nextLong(MAX_DELAY_MICROS) : 0;
    arrive(new Reading(sensor, timestampMicros, value, timestampMicros + delay));
    if (random.nextInt(200) == 0) {
      long again = timestampMicros + random.nextLong(MAX_DELAY_MICROS / 10);
      arrive(new Reading(sensor, timestampMicros, value, again));
    }
  }

  private void arrive(Reading reading) {
    long due = (reading.arrivalMicros - startMicros) / INTERVAL_MICROS;
    waiting.get((int) (Math.max(due, tick) % waiting.size())).add(reading);
  }
}
