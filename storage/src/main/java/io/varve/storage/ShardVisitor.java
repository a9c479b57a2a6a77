package io.varve.storage;

/** Takes what the shards of partitions hold, one after another. */
@FunctionalInterface
public interface ShardVisitor {
  /**
   * Takes one shard of one partition.
   *
   * @param bytes 4 KiB for each plain block, the length of each sealed one; 0 where that is not
   *     known
   */
  void shard(int day, long rows, long bytes);
}
