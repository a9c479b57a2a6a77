package io.varve.server.doctor;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What the brokers tell that the checks need.
 *
 * @param rowsTopic name of the topic that is the stores' log
 * @param rowsPartitions its topic partitions
 * @param rowsRetentionMillis its {@code retention.ms}; −1 keeps all
 * @param rowsRetentionBytes its {@code retention.bytes}; −1 keeps all
 * @param sourcePartitions topic partitions of each source topic
 * @param newestAppendMicros time of the newest record in any of these topics, by the brokers'
 *     clock; empty where none has one
 * @param members stream threads of all nodes that are members of the group; empty where the brokers
 *     do not tell
 * @param offsets how far the group has come in the source topics
 */
public record BrokerFigures(
    String rowsTopic,
    int rowsPartitions,
    long rowsRetentionMillis,
    long rowsRetentionBytes,
    Map<String, Integer> sourcePartitions,
    OptionalLong newestAppendMicros,
    OptionalLong members,
    List<GroupOffset> offsets) {
  public BrokerFigures {
    sourcePartitions = Map.copyOf(sourcePartitions);
    offsets = List.copyOf(offsets);
  }

  /**
   * The group's place in one topic partition of a source.
   *
   * @param partition such as {@code readings-3}
   * @param committed next offset that it will read; empty where none is committed
   * @param begin oldest offset that the topic holds
   */
  public record GroupOffset(String partition, OptionalLong committed, long begin) {}
}
