package io.varve.storage.inspect;

import io.varve.storage.SensorId;

/**
 * What one partition's rows take.
 *
 * @param rows rows present
 * @param bytes 4 KiB for each plain block, the length of each sealed one
 * @param plainBlocks blocks of plain rows
 * @param sealedBlocks live sealed blocks
 * @param firstMicros timestamp of the oldest row, in microseconds since 1970
 * @param lastMicros timestamp of the newest row
 */
public record PartitionReport(
    SensorId sensor,
    int shard,
    long rows,
    long bytes,
    int plainBlocks,
    int sealedBlocks,
    long firstMicros,
    long lastMicros) {}
