package io.varve.storage;

/**
 * What the rows of one shard of one partition take.
 *
 * @param day UTC day number
 * @param bytes 4 KiB for each plain block, the length of each sealed one
 * @param rows rows present
 */
public record ShardSize(SensorId sensor, int day, int shard, long bytes, long rows) {}
