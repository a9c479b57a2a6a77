package io.varve.storage;

/**
 * The rows of one sensor in one day and shard, as the store's index knows them.
 *
 * @param day UTC day number
 * @param shard 0-based shard; 0 where the sensor is not sharded
 * @param rows rows stored when asked
 */
public record Fragment(int day, int shard, long rows) {}
