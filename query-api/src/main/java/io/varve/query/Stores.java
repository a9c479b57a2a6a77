package io.varve.query;

import io.varve.storage.PartitionReader;
import io.varve.storage.placement.ShardCounts;
import java.util.List;
import java.util.Map;

/** The stores that queries read. A port; thread-safe. */
public interface Stores {
  /** Number of topic partitions of {@code rows}; an answer needs every one of them. */
  int topicPartitions();

  /** Lists the stores on this node, in whatever state they are; at most one a topic partition. */
  List<PartitionReader> local();

  /**
   * Returns the shard plans that this node knows: they settle which of two rows of one key is
   * shown, and nothing else. Old ones, or none, lose no row.
   */
  ShardCounts shardCounts();

  /** Returns {@code host:port} of the node that serves a topic partition, for those elsewhere. */
  Map<Integer, String> remoteOwners();
}
