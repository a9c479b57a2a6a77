/** Tests of the rules that readings must keep. */
@NullMarked
package io.varve.ingest.store;

import org.jspecify.annotations.NullMarked;
