@NullMarked
package io.varve.ingest.sharder;

import org.jspecify.annotations.NullMarked;
