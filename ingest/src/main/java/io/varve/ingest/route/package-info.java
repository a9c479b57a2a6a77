/**
 * From a record of a source topic to records of {@code rows}: decode, check, place, and set aside
 * what is bad.
 *
 * <p>The router is a Streams processor; all of it runs on the stream thread of its task.
 */
@NullMarked
package io.varve.ingest.route;

import org.jspecify.annotations.NullMarked;
