package io.varve.ingest.traffic;

import io.varve.storage.SensorId;
import java.util.Arrays;

/** The rows of one sensor by second of its own timestamps, of the last two minutes. */
final class SensorSeconds {
  private static final int SPAN = 128;
  private static final int MEAN_OVER = 10;
  private static final int SUSTAINED_OVER = 5;

  private final SensorId sensor;
  private final long[] seconds = new long[SPAN];
  private final double[] rows = new double[SPAN];
  private final long[] arrived = new long[SPAN];

  /** Rows by the second of their arrival, and which second that is. */
  private final double[] arrivals = new double[MEAN_OVER + 1];

  private final long[] arrivalSeconds = new long[MEAN_OVER + 1];

  /** Since when it is followed, by the clock of the node, in seconds. */
  final long since;

  /** Whether its last row was of a time at which it had more than one shard. */
  boolean sharded;

  /** When the last row came, by the clock of the node. */
  private long lastArrival;

  SensorSeconds(SensorId sensor, long since) {
    this.sensor = sensor;
    this.since = since;
    Arrays.fill(seconds, Long.MIN_VALUE);
    Arrays.fill(arrivalSeconds, Long.MIN_VALUE);
  }

  void add(long eventSecond, double count, long arrivalSecond) {
    int slot = (int) Math.floorMod(arrivalSecond, (long) arrivals.length);
    if (arrivalSeconds[slot] != arrivalSecond) {
      arrivalSeconds[slot] = arrivalSecond;
      arrivals[slot] = 0;
    }
    arrivals[slot] += count;
    lastArrival = arrivalSecond;
    int at = (int) Math.floorMod(eventSecond, (long) SPAN);
    if (seconds[at] > eventSecond) {
      return; // far behind the others
    }
    if (seconds[at] != eventSecond) {
      seconds[at] = eventSecond;
      rows[at] = 0;
    }
    rows[at] += count;
    arrived[at] = arrivalSecond;
  }

  long lastArrival() {
    return lastArrival;
  }

  private double arriving(long nowSecond) {
    double sum = 0;
    for (int i = 0; i < arrivals.length; i++) {
      long ago = nowSecond - arrivalSeconds[i];
      sum += arrivalSeconds[i] != Long.MIN_VALUE && ago >= 1 && ago <= MEAN_OVER ? arrivals[i] : 0;
    }
    return sum / MEAN_OVER;
  }

  /** Reckons what the sensor sends, from seconds of which rows came lately. */
  SensorRate rate(long nowSecond, int lately) {
    long newest = Long.MIN_VALUE;
    for (int i = 0; i < SPAN; i++) {
      if (seconds[i] != Long.MIN_VALUE && nowSecond - arrived[i] <= lately) {
        newest = Math.max(newest, seconds[i]);
      }
    }
    if (newest == Long.MIN_VALUE) {
      return SensorRate.none(sensor);
    }
    double[] line = new double[SPAN];
    for (int i = 0; i < SPAN; i++) {
      long ago = newest - seconds[i];
      if (seconds[i] != Long.MIN_VALUE && ago < SPAN && nowSecond - arrived[i] <= lately) {
        line[(int) ago] = rows[i];
      }
    }
    double tenSeconds = 0;
    double sustained = 0;
    double ofThose = 0;
    double[] ten = new double[SPAN];
    for (int i = SPAN - SUSTAINED_OVER; i >= 0; i--) {
      double sum = 0;
      double least = Double.MAX_VALUE;
      for (int k = 0; k < SUSTAINED_OVER; k++) {
        sum += line[i + k];
        least = Math.min(least, line[i + k]);
      }
      if (least > sustained) {
        sustained = least;
        ofThose = sum / SUSTAINED_OVER;
      }
      for (int k = 0; k < MEAN_OVER && i + k < SPAN; k++) {
        ten[i] += line[i + k] / MEAN_OVER;
      }
      tenSeconds = Math.max(tenSeconds, ten[i]);
      // Of a sensor that stamps in batches, some seconds are empty: then two spans of ten tell.
      double both = i + MEAN_OVER < SPAN ? Math.min(ten[i], ten[i + MEAN_OVER]) : 0;
      if (both > sustained) {
        sustained = both;
        ofThose = (ten[i] + ten[i + MEAN_OVER]) / 2;
      }
    }
    return new SensorRate(sensor, tenSeconds, sustained, ofThose, arriving(nowSecond));
  }
}
