package io.varve.storage;

import java.util.OptionalLong;

/**
 * How far a store has come.
 *
 * @param topicPartition topic partition of {@code rows}
 * @param appliedOffset newest offset of {@code rows} whose rows are visible; empty before the first
 * @param eventTimeMicros newest timestamp ever applied; empty before the first
 */
public record Freshness(
    int topicPartition, OptionalLong appliedOffset, OptionalLong eventTimeMicros) {}
