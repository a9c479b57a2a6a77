@NullMarked
package io.varve.ingest.traffic;

import org.jspecify.annotations.NullMarked;
