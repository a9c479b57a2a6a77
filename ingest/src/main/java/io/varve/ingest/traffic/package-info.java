/**
 * Measures which partitions are busy: who is written and read most, and how many rows a second hot
 * sensors send.
 *
 * <p>Stores show samples; nothing here costs a row more than a countdown. The sketch library is
 * imported here only. Knows nothing of plans but how many shards a row's sensor has.
 */
@NullMarked
package io.varve.ingest.traffic;

import org.jspecify.annotations.NullMarked;
