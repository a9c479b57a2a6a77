/** Tests of the ingest module as a whole, some of them on a real broker in this process. */
@NullMarked
package io.varve.ingest;

import org.jspecify.annotations.NullMarked;
