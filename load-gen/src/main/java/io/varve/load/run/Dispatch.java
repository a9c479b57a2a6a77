package io.varve.load.run;

import io.varve.load.fleet.Fleet;
import io.varve.load.fleet.FleetSink;
import io.varve.load.fleet.Poison;
import io.varve.load.fleet.ReadingKind;
import io.varve.load.measure.Latency;
import io.varve.load.target.Delivery;
import io.varve.load.target.RecordSink;

/**
 * Turns readings into records and follows each to its acknowledgement, which is measured from when
 * the record was due. One thread sends.
 */
final class Dispatch implements FleetSink {
  private static final long[] NONE = {};

  private final Fleet fleet;
  private final RecordSink sink;
  private final Clock clock;
  private final long startNanos;
  private final boolean fromActual;
  private final Tally tally;
  private final Latency acknowledged;
  private final RecordEncoder encoder;
  private final Gateways gateways;

  /**
   * @param startNanos the clock's time at which the load begins
   * @param fromActual whether to measure from when a record is really sent, as closed loops do
   */
  Dispatch(
      Fleet fleet,
      RecordSink sink,
      Clock clock,
      long startNanos,
      boolean fromActual,
      Tally tally,
      Latency acknowledged) {
    this.fleet = fleet;
    this.sink = sink;
    this.clock = clock;
    this.startNanos = startNanos;
    this.fromActual = fromActual;
    this.tally = tally;
    this.acknowledged = acknowledged;
    this.encoder = new RecordEncoder(fleet);
    this.gateways = new Gateways(fleet, encoder, this::batch);
  }

  @Override
  public void reading(
      long dueNanos,
      int sensor,
      long tick,
      int version,
      long timestampMicros,
      long sequence,
      long valueBits,
      ReadingKind kind) {
    long key = Gateways.key(sensor, tick, version);
    int gateway = fleet.gatewayOf(sensor);
    if (fleet.batches(gateway)) {
      gateways.add(dueNanos, gateway, key, timestampMicros, sequence, valueBits);
      return;
    }
    tally.sent(1, 0);
    sink.send(
        fleet.nameBytes(sensor),
        encoder.reading(sensor, dueNanos, timestampMicros, sequence, valueBits),
        new OneReading(fromNanos(dueNanos), key));
  }

  @Override
  public void poison(long dueNanos, int sensor, Poison form) {
    tally.sent(0, 1);
    sink.send(
        encoder.key(sensor),
        encoder.poison(sensor, dueNanos, form),
        new Many(fromNanos(dueNanos), 0, NONE));
  }

  private void batch(long dueNanos, int gateway, byte[] record, int readings, long[] keys) {
    tally.sent(readings, 0);
    sink.send(
        encoder.key(sensorBehind(keys)), record, new Many(fromNanos(dueNanos), readings, keys));
  }

  private static int sensorBehind(long[] keys) {
    return Gateways.sensorOf(keys[0]);
  }

  /** When the next gateway sends what it has; {@link Long#MAX_VALUE} for none. */
  long nextDueNanos() {
    return gateways.nextDueNanos();
  }

  /** Lets that gateway send. */
  void step() {
    gateways.step();
  }

  /** Lets all gateways send what they have, due at a time. */
  void sendAll(long dueNanos) {
    gateways.sendAll(dueNanos);
  }

  private long fromNanos(long dueNanos) {
    return fromActual ? clock.nanos() : startNanos + dueNanos;
  }

  /** A record of one reading. */
  private final class OneReading implements Delivery {
    private final long fromNanos;
    private final long key;

    OneReading(long fromNanos, long key) {
      this.fromNanos = fromNanos;
      this.key = key;
    }

    @Override
    public void acknowledged() {
      acknowledged.record(fromNanos - startNanos, clock.nanos() - fromNanos);
      tally.acknowledged(1, 0);
    }

    @Override
    public void failed(Exception cause) {
      tally.failed(new long[] {key}, cause);
    }
  }

  /** A record of several readings, or a bad one of none. */
  private final class Many implements Delivery {
    private final long fromNanos;
    private final int readings;
    private final long[] keys;

    Many(long fromNanos, int readings, long[] keys) {
      this.fromNanos = fromNanos;
      this.readings = readings;
      this.keys = keys;
    }

    @Override
    public void acknowledged() {
      acknowledged.record(fromNanos - startNanos, clock.nanos() - fromNanos, Math.max(1, readings));
      tally.acknowledged(readings, readings == 0 ? 1 : 0);
    }

    @Override
    public void failed(Exception cause) {
      tally.failed(keys, cause);
    }
  }
}
