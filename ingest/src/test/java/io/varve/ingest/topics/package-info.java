/** Tests of topic plans and set-up. */
@NullMarked
package io.varve.ingest.topics;

import org.jspecify.annotations.NullMarked;
