package io.varve.load.run;

/**
 * When a run begins.
 *
 * @param millis in milliseconds since 1970; a whole second
 * @param nanos the same moment on the monotonic clock
 */
record Origin(long millis, long nanos) {}
