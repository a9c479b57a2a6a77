package io.varve.load.measure;

/**
 * One point of a distribution.
 *
 * @param part the part of all durations, 0 to 1, that is not longer
 * @param nanos the duration
 * @param count how many durations are not longer
 */
public record Quantile(double part, long nanos, long count) {}
