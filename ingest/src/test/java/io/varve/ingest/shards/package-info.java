@NullMarked
package io.varve.ingest.shards;

import org.jspecify.annotations.NullMarked;
