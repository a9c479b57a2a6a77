/** Tests of the rules that readings must keep. */
@NullMarked
package io.varve.ingest.check;

import org.jspecify.annotations.NullMarked;
