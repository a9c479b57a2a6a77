/** The rules that a decoded reading must keep: pure decisions, no I/O, no clock of their own. */
@NullMarked
package io.varve.ingest.check;

import org.jspecify.annotations.NullMarked;
