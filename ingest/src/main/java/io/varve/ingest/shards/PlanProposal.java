package io.varve.ingest.shards;

import io.varve.storage.SensorId;
import java.util.OptionalLong;

/**
 * What a person or a decider wants of a sensor.
 *
 * @param sensor whose rows
 * @param shards how many shards: 1, or a power of two up to 64
 * @param effectiveFromMicros first timestamp that it is to hold for; empty: as soon as may be
 * @param reason why, in one line
 */
public record PlanProposal(
    SensorId sensor, int shards, OptionalLong effectiveFromMicros, String reason) {}
