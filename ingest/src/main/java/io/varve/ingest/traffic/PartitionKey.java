package io.varve.ingest.traffic;

import io.varve.storage.SensorId;

/**
 * What rows lie together under, whatever their shard.
 *
 * @param day UTC day number
 */
public record PartitionKey(SensorId sensor, int day) {}
