package io.varve.load.run;

import io.varve.load.fleet.Fleet;
import io.varve.load.target.Delivery;
import io.varve.load.target.RecordSink;
import io.varve.schemas.ReadingEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Readings by which is measured when a reading becomes visible: one of a few sensors of their own
 * in turn, at even intervals, through the same sink as all others. Marker n is due at n times the
 * interval, and its timestamp says so.
 */
public final class Markers {
  private static final int SENSORS = 8;

  private final RecordSink sink;
  private final ReadingEncoder encoder = new ReadingEncoder();
  private final List<String> names = new ArrayList<>();
  private final List<byte[]> keys = new ArrayList<>();
  private final long startMicros;
  private final long intervalNanos;
  private volatile long next;

  /**
   * @param intervalNanos time between two markers, whole microseconds; 0 for no markers
   */
  Markers(Fleet fleet, RecordSink sink, long intervalNanos) {
    this.sink = sink;
    this.startMicros = fleet.startMicros();
    this.intervalNanos = intervalNanos;
    names.addAll(names(fleet));
    for (String name : names) {
      keys.add(name.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Names of the sensors of markers; no sensor of the fleet is called so. */
  public static List<String> names(Fleet fleet) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < SENSORS; i++) {
      names.add(fleet.name() + "/marker-" + i);
    }
    return names;
  }

  /** How many were sent. */
  long sent() {
    return next;
  }

  long nextDueNanos() {
    return intervalNanos == 0 ? Long.MAX_VALUE : next * intervalNanos;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread sends
  void step() {
    int sensor = (int) (next % SENSORS);
    long timestamp = startMicros + next * intervalNanos / 1_000;
    sink.send(
        keys.get(sensor),
        encoder.encode(keys.get(sensor), timestamp, (double) next, 0),
        UNFOLLOWED);
    next++;
  }

  private static final Delivery UNFOLLOWED =
      new Delivery() {
        @Override
        public void acknowledged() {}

        @Override
        public void failed(Exception cause) {} // it is never seen, which the probe reports
      };
}
