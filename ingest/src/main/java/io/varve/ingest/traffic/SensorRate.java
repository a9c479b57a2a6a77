package io.varve.ingest.traffic;

import io.varve.storage.SensorId;

/**
 * What a sensor sends, by the seconds of its own timestamps: so a backlog that is read fast, or
 * late rows of an hour, count as what they were when they were measured.
 *
 * @param tenSeconds rows a second over the busiest ten consecutive seconds of late
 * @param sustained rows of the least busy of the busiest five consecutive seconds; or, if more, a
 *     second of the less busy of two consecutive spans of ten
 * @param ofThose rows a second over all of those
 * @param arriving rows a second that came over the last ten seconds, whatever their timestamps: few
 *     come of a sensor whose clock stands still, though all of them bear one second
 */
public record SensorRate(
    SensorId sensor, double tenSeconds, double sustained, double ofThose, double arriving) {
  /** A sensor that sends nothing. */
  public static SensorRate none(SensorId sensor) {
    return new SensorRate(sensor, 0, 0, 0, 0);
  }
}
