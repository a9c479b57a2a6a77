/**
 * The data model and the partition store: sensor ids, clustering keys, cursors, the port that
 * queries read through, and the store itself.
 *
 * <p>Nothing here knows Kafka, Avro or HTTP. One writer thread per {@link
 * io.varve.storage.PartitionStore}; any number of readers.
 */
@NullMarked
package io.varve.storage;

import org.jspecify.annotations.NullMarked;
