/** Placeholder of the package. */
@NullMarked
package io.varve.ingest;

import org.jspecify.annotations.NullMarked;
