/** Tests of packing, on a producer made by hand. */
@NullMarked
package io.varve.ingest.pack;

import org.jspecify.annotations.NullMarked;
