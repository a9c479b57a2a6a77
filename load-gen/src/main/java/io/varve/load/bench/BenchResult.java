package io.varve.load.bench;

import io.varve.load.http.VarveAdmin;
import io.varve.load.run.LoadResult;

/**
 * What a bench found.
 *
 * @param plan what it did
 * @param singles draining of single readings
 * @param batched draining of batches
 * @param load freshness and queries while readings come in
 * @param written what the stores took before compaction
 * @param compacted what they took after it
 * @param compactNanos how long compaction took
 */
public record BenchResult(
    BenchPlan plan,
    Drain singles,
    Drain batched,
    LoadResult load,
    VarveAdmin.Size written,
    VarveAdmin.Size compacted,
    long compactNanos) {}
