/**
 * The producer seam: many rows of one topic partition travel as one record.
 *
 * <p>Knows record bytes, not what a row is, but for the one rule that records of {@code rows}
 * concatenate.
 */
@NullMarked
package io.varve.ingest.pack;

import org.jspecify.annotations.NullMarked;
