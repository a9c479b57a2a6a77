package io.varve.storage.engine;

import io.varve.storage.ShardSize;
import io.varve.storage.ShardSizes;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The size from which on a shard of a partition is too large for one place: nothing is refused, it
 * is told. Looked at when a partition takes a block, never for a row.
 */
final class Guardrail {
  private static final Logger LOG = LoggerFactory.getLogger(Guardrail.class);

  private final int topicPartition;
  private final long maxBytes;
  private final long maxRows;

  /**
   * @param maxBytes most bytes of a shard's blocks; 0 for any
   * @param maxRows most rows of a shard; 0 for any
   */
  Guardrail(int topicPartition, long maxBytes, long maxRows) {
    this.topicPartition = topicPartition;
    this.maxBytes = maxBytes;
    this.maxRows = maxRows;
  }

  boolean isOver(long bytes, long rows) {
    return maxBytes > 0 && bytes > maxBytes || maxRows > 0 && rows > maxRows;
  }

  /** Tells that a partition has outgrown the guardrail, once; returns whether it told now. */
  boolean check(Partition partition) {
    if (partition.outgrown || !isOver(partition.bytes(), partition.rows())) {
      return false;
    }
    partition.outgrown = true;
    LOG.warn(
        "a sensor's day takes more in one place than the guardrail says: sensor={} day={} shard={}"
            + " topic_partition={} bytes={} rows={} max_shard_bytes={} max_shard_rows={}; give it"
            + " more shards with ./varve shards set, or raise --guardrail-bytes or"
            + " --guardrail-rows",
        partition.sensor.id.quoted(),
        LocalDate.ofEpochDay(partition.map.day),
        partition.shard,
        topicPartition,
        partition.bytes(),
        partition.rows(),
        maxBytes,
        maxRows);
    return true;
  }

  /** Takes note of partitions that were found too large, so that they are not told again. */
  void adopt(SegmentMap map) {
    for (Partition partition : map.partitions()) {
      partition.outgrown |= isOver(partition.bytes(), partition.rows());
    }
  }

  /** The sizes of the partitions of a mapping that have rows there. */
  ShardSizes sizes(SegmentMap map) {
    long over = 0;
    Partition largest = null;
    for (Partition partition : map.partitions()) {
      if (partition.rows() > 0 && !partition.moved()) {
        over += isOver(partition.bytes(), partition.rows()) ? 1 : 0;
        largest = largest == null || partition.bytes() > largest.bytes() ? partition : largest;
      }
    }
    return largest == null ? ShardSizes.NONE : new ShardSizes(over, Optional.of(size(largest)));
  }

  private static ShardSize size(Partition partition) {
    return new ShardSize(
        partition.sensor.id,
        partition.map.day,
        partition.shard,
        partition.bytes(),
        partition.rows());
  }

  /** The partitions of a mapping that take more than some bytes there. */
  List<ShardSize> largerThan(long bytes, SegmentMap map) {
    return map.partitions().stream()
        .filter(each -> each.bytes() > bytes && !each.moved())
        .map(Guardrail::size)
        .toList();
  }

  /** The sizes of the partitions that an index names. */
  ShardSizes sizes(SegmentIndex index) {
    ShardSizes sizes = ShardSizes.NONE;
    for (SegmentIndex.Entry entry : index.entries()) {
      ShardSize size =
          new ShardSize(entry.sensor(), index.day(), entry.shard(), entry.bytes(), entry.rows());
      long over = isOver(entry.bytes(), entry.rows()) ? 1 : 0;
      sizes = sizes.plus(new ShardSizes(over, Optional.of(size)));
    }
    return sizes;
  }
}
