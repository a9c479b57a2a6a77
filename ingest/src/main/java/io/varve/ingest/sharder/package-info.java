/**
 * Decides how many shards sensors should have, from what is measured, and has it written as plans.
 *
 * <p>{@link io.varve.ingest.sharder.Sharder} decides and does nothing else: no clock, no I/O.
 * {@link io.varve.ingest.sharder.AutoSharding} feeds it and acts.
 */
@NullMarked
package io.varve.ingest.sharder;

import org.jspecify.annotations.NullMarked;
