/**
 * From a record of a source topic to rows: decode, check, place, and set aside what is bad.
 *
 * <p>The checks decide and do no I/O; the router is a Streams processor and runs on its thread.
 */
@NullMarked
package io.varve.ingest.route;

import org.jspecify.annotations.NullMarked;
