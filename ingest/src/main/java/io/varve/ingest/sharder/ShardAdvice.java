package io.varve.ingest.sharder;

import io.varve.storage.SensorId;

/**
 * How many shards a sensor should have.
 *
 * @param shardsBefore how many it has
 * @param reason why, with the figures; one line for a person
 */
public record ShardAdvice(SensorId sensor, int shards, int shardsBefore, String reason) {}
