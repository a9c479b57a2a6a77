package io.varve.load.bench;

/**
 * What a bench does.
 *
 * @param readings single readings to drain; four times as many go in batches
 * @param rate readings a second while freshness and queries are measured
 * @param measureNanos how long they are measured
 * @param seed decides the readings
 * @param program name and version of the load generator
 */
public record BenchPlan(long readings, long rate, long measureNanos, long seed, String program) {}
