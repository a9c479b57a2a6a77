/**
 * Partition stores as Streams sees them: when they open, what is applied and restored, which
 * offsets they commit, and when they ask to be restored again.
 *
 * <p>The stores themselves know nothing of Kafka. A store is written by one thread at a time: the
 * state updater while it restores, then the stream thread; Streams hands over between the two.
 */
@NullMarked
package io.varve.ingest.store;

import org.jspecify.annotations.NullMarked;
