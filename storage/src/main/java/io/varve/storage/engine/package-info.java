/**
 * The off-heap store of one topic partition: a segment of block files for each UTC day, a directory
 * of blocks for each partition, and what keeps both right through kills, power loss and damage.
 *
 * <p>One writer thread per store; readers on any thread, never blocked by it. The whole of {@link
 * io.varve.storage.engine.PartitionStore} is the public face; everything else is its parts.
 */
@NullMarked
package io.varve.storage.engine;

import org.jspecify.annotations.NullMarked;
