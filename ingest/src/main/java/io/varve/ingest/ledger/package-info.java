/**
 * What became of every reading: counts for each source topic partition, live for readers and exact
 * across crashes.
 *
 * <p>Counts are written by the stream thread that routes the partition and read by any.
 */
@NullMarked
package io.varve.ingest.ledger;

import org.jspecify.annotations.NullMarked;
