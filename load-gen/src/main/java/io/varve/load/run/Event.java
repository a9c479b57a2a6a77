package io.varve.load.run;

/**
 * Something that happened during a run.
 *
 * @param atNanos nanoseconds since the start
 */
public record Event(long atNanos, String text) {}
