/** Tests of the counts. */
@NullMarked
package io.varve.ingest.ledger;

import org.jspecify.annotations.NullMarked;
