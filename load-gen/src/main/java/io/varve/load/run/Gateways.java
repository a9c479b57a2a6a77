package io.varve.load.run;

import io.varve.load.fleet.Fleet;
import io.varve.load.fleet.Knob;
import io.varve.schemas.ReadingEncoder;
import java.util.ArrayDeque;

/**
 * What gateways have collected and not sent yet, in primitive arrays.
 *
 * <p>A gateway sends when it has as many readings as fill a record, or when the first of them has
 * waited for the collecting time. Both follow from when readings are due, not from the clock. A
 * record is due when it is complete: the gateway's waiting is not the target's. Single-threaded.
 */
final class Gateways {
  /** Takes records as gateways complete them. */
  interface Output {
    /**
     * Takes one record.
     *
     * @param readings how many it holds
     * @param keys which they are, see {@link #key}; given away
     */
    void record(long dueNanos, int gateway, byte[] record, int readings, long[] keys);
  }

  /** The end of one collection. */
  private record Deadline(long dueNanos, int gateway, int collection) {}

  private static final int FIELDS = 4;
  private static final long[] NOTHING = {};

  private final Fleet fleet;
  private final RecordEncoder encoder;
  private final Output output;
  private final int batch;
  private final long collectNanos;
  private final long[][] held;
  private final int[] counts;
  private final int[] collections;

  /** In order, since each is the same time after a reading and readings come in order. */
  private final ArrayDeque<Deadline> deadlines = new ArrayDeque<>();

  Gateways(Fleet fleet, RecordEncoder encoder, Output output) {
    this.fleet = fleet;
    this.encoder = encoder;
    this.output = output;
    this.batch = (int) fleet.profile().count(Knob.BATCH);
    this.collectNanos = fleet.profile().nanos(Knob.COLLECT);
    this.held = new long[fleet.gateways()][];
    java.util.Arrays.fill(held, NOTHING);
    this.counts = new int[fleet.gateways()];
    this.collections = new int[fleet.gateways()];
  }

  /** Sensor, tick and version in one number. */
  static long key(int sensor, long tick, int version) {
    return (long) sensor << 43 | tick << 2 | version;
  }

  static int sensorOf(long key) {
    return (int) (key >>> 43);
  }

  static long tickOf(long key) {
    return (key >>> 2) & ((1L << 41) - 1);
  }

  static int versionOf(long key) {
    return (int) (key & 3);
  }

  void add(
      long dueNanos, int gateway, long key, long timestampMicros, long sequence, long valueBits) {
    int count = counts[gateway];
    if (count == 0) {
      if (held[gateway].length == 0) {
        held[gateway] = new long[batch * FIELDS];
      }
      deadlines.add(new Deadline(dueNanos + collectNanos, gateway, collections[gateway]));
    }
    long[] fields = held[gateway];
    int at = count * FIELDS;
    fields[at] = key;
    fields[at + 1] = timestampMicros;
    fields[at + 2] = sequence;
    fields[at + 3] = valueBits;
    counts[gateway] = count + 1;
    if (count + 1 == batch) {
      send(dueNanos, gateway);
    }
  }

  /** When the next gateway's collecting time is over; {@link Long#MAX_VALUE} for none. */
  long nextDueNanos() {
    Deadline next = deadlines.peek();
    while (next != null && collections[next.gateway] != next.collection) {
      deadlines.remove();
      next = deadlines.peek();
    }
    return next == null ? Long.MAX_VALUE : next.dueNanos;
  }

  /** Sends what the gateway of {@link #nextDueNanos} has. */
  void step() {
    Deadline next = deadlines.remove();
    send(next.dueNanos, next.gateway);
  }

  /** Sends everything that is held, as gateways do before they are switched off. */
  void sendAll(long dueNanos) {
    for (int g = 0; g < counts.length; g++) {
      if (counts[g] > 0) {
        send(dueNanos, g);
      }
    }
  }

  private void send(long dueNanos, int gateway) {
    int count = counts[gateway];
    long[] fields = held[gateway];
    long[] keys = new long[count];
    ReadingEncoder avro = encoder.at(gateway, dueNanos);
    for (int i = 0; i < count; i++) {
      int at = i * FIELDS;
      keys[i] = fields[at];
      avro.add(
          fleet.nameBytes(sensorOf(fields[at])),
          fields[at + 1],
          Double.longBitsToDouble(fields[at + 3]),
          fields[at + 2]);
    }
    counts[gateway] = 0;
    collections[gateway]++;
    output.record(dueNanos, gateway, avro.takeBatch(), count, keys);
  }
}
