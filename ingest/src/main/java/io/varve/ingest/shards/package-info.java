/**
 * Shard plans: what they are, how they stand in their topic, who writes and who follows them.
 *
 * <p>One thread a node follows the topic; routers look plans up without locks or allocation. Knows
 * nothing of routing or of stores.
 */
@NullMarked
package io.varve.ingest.shards;

import org.jspecify.annotations.NullMarked;
