package io.varve.load.fleet;

/**
 * The readings of a fleet in the order in which they are sent, one step after another, without end.
 *
 * <p>One step allocates nothing. The hash runs over everything that was handed out, with timestamps
 * as offsets from the start, so it is the same for a profile and seed whenever and wherever they
 * run. Single-threaded.
 */
public final class Workload {
  /** Low bits of a deferred item: what is to be done with the tick in the bits above. */
  private static final int LATE = 0;

  private static final int REPEAT = 1;
  private static final int CORRECT = 2;

  private final Fleet fleet;
  private final Agenda ticks;
  private final Agenda deferred = new Agenda(1 << 12);
  private final long[] lastStamps;
  private final long[] sequences;
  private final long correctAfter;
  private final long repeatAfter;
  private long readings;
  private long poisons;
  private long hash;

  public Workload(Fleet fleet) {
    this.fleet = fleet;
    this.correctAfter = fleet.correctAfter();
    this.repeatAfter = fleet.repeatAfter();
    this.hash = fleet.seed();
    int sensors = fleet.sensors();
    this.lastStamps = new long[sensors];
    this.sequences = new long[sensors];
    this.ticks = new Agenda(sensors);
    for (int s = 0; s < sensors; s++) {
      lastStamps[s] = Long.MIN_VALUE;
      long first = fleet.firstTick(s);
      ticks.add(fleet.sentAtOnce(s, fleet.measured(s, first)), s, first);
    }
  }

  /** When the next step is due, in nanoseconds since the start. Never falls. */
  public long nextDueNanos() {
    return Math.min(ticks.time(), deferred.time());
  }

  /** Takes one step: hands out at most one reading, and perhaps a bad record. */
  public void step(FleetSink sink) {
    if (deferred.time() < ticks.time()) {
      stepDeferred(sink);
    } else {
      stepTick(sink);
    }
  }

  private void stepTick(FleetSink sink) {
    long due = ticks.time();
    int sensor = ticks.sensor();
    long tick = ticks.item();
    long measured = fleet.measured(sensor, tick);
    ticks.replace(fleet.sentAtOnce(sensor, fleet.measured(sensor, tick + 1)), sensor, tick + 1);
    long stamp = fleet.stamp(sensor, measured);
    long sequence = lastStamps[sensor] == stamp ? sequences[sensor] + 1 : 0;
    lastStamps[sensor] = stamp;
    sequences[sensor] = sequence;
    long late = fleet.lateBy(sensor, tick);
    if (late > 0) {
      deferred.add(due + late, sensor, tick << 2 | LATE);
    } else {
      ReadingKind kind = due == measured ? ReadingKind.FRESH : ReadingKind.HELD;
      first(sink, due, sensor, tick, stamp, sequence, kind);
    }
    if (fleet.isPoisoned(sensor, tick)) {
      Poison form = fleet.poison(sensor, tick);
      poisons++;
      hash = Mix.mix(hash + due * Mix.STRIDE + sensor * 8L + form.code);
      sink.poison(due, sensor, form);
    }
  }

  private void first(
      FleetSink sink,
      long due,
      int sensor,
      long tick,
      long stamp,
      long sequence,
      ReadingKind kind) {
    if (fleet.isRepeated(sensor, due)) {
      deferred.add(due + repeatAfter, sensor, tick << 2 | REPEAT);
    }
    if (fleet.isCorrected(sensor, tick)) {
      deferred.add(due + correctAfter, sensor, tick << 2 | CORRECT);
    }
    send(sink, due, sensor, tick, 1, stamp, sequence, kind);
  }

  private void stepDeferred(FleetSink sink) {
    long due = deferred.time();
    int sensor = deferred.sensor();
    long item = deferred.item();
    deferred.remove();
    long tick = item >> 2;
    long stamp = fleet.stamp(sensor, fleet.measured(sensor, tick));
    long sequence = fleet.sequence(sensor, tick);
    switch ((int) (item & 3)) {
      case LATE -> first(sink, due, sensor, tick, stamp, sequence, ReadingKind.LATE);
      case REPEAT -> send(sink, due, sensor, tick, 1, stamp, sequence, ReadingKind.REPEATED);
      default -> send(sink, due, sensor, tick, 2, stamp, sequence, ReadingKind.CORRECTED);
    }
  }

  private void send(
      FleetSink sink,
      long due,
      int sensor,
      long tick,
      int version,
      long stamp,
      long sequence,
      ReadingKind kind) {
    long timestamp = fleet.startMicros() + stamp;
    long value = fleet.valueBits(sensor, timestamp, sequence, version);
    readings++;
    hash =
        Mix.mix(hash + due * Mix.STRIDE + sensor)
            + stamp
            + sequence * 31
            + value * Mix.STRIDE
            + kind.code;
    sink.reading(due, sensor, tick, version, timestamp, sequence, value, kind);
  }

  /** The fleet whose readings these are. */
  public Fleet fleet() {
    return fleet;
  }

  /** Readings handed out so far. */
  public long readings() {
    return readings;
  }

  /** Bad records handed out so far. */
  public long poisons() {
    return poisons;
  }

  /** Hash of everything handed out so far, as 16 hexadecimal digits. */
  public String hash() {
    return String.format("%016x", Mix.mix(hash + readings));
  }

  /** What was handed out so far; a copy. */
  public Sent sent() {
    long[] next = new long[fleet.sensors()];
    for (int i = 0; i < ticks.size(); i++) {
      next[ticks.sensor(i)] = ticks.item(i);
    }
    KeySet absent = new KeySet();
    for (int i = 0; i < deferred.size(); i++) {
      long item = deferred.item(i);
      switch ((int) (item & 3)) {
        case LATE -> absent.add(deferred.sensor(i), item >> 2, 1);
        case CORRECT -> absent.add(deferred.sensor(i), item >> 2, 2);
        default -> {
          // a repeat that has not come changes nothing
        }
      }
    }
    return new Sent(fleet, next, absent);
  }
}
