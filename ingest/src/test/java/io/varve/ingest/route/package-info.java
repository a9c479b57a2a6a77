/** Tests of routing, on the topology test driver. */
@NullMarked
package io.varve.ingest.route;

import org.jspecify.annotations.NullMarked;
