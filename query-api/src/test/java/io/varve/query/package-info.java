/** Tests of the query service as its users see it: over HTTP, above the in-memory partitions. */
@NullMarked
package io.varve.query;

import org.jspecify.annotations.NullMarked;
