/**
 * The one pure function from (sensor, timestamp, sequence) to shard, token and topic partition that
 * every writer uses. Readers never need it: they ask the stores' own index.
 */
@NullMarked
package io.varve.storage.placement;

import org.jspecify.annotations.NullMarked;
