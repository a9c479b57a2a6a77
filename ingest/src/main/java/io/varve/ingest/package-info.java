/**
 * One node's part in the stream: settings in, readings routed into rows, rows applied to the
 * partition stores, a report out.
 *
 * <p>Only this module imports Kafka Streams, and no type of Kafka crosses its border. {@link
 * io.varve.ingest.IngestService} is the one entry; its methods may be called from any thread.
 */
@NullMarked
package io.varve.ingest;

import org.jspecify.annotations.NullMarked;
