package io.varve.ingest;

import io.varve.ingest.store.RowsStores;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.state.HostInfo;

/** Which node has which topic partition of {@code rows}, as the group's members tell each other. */
final class Owners {
  private Owners() {}

  /**
   * Returns {@code host:port} by topic partition of those that another node owns.
   *
   * @param self this node's own {@code host:port}
   */
  static Map<Integer, String> elsewhere(
      KafkaStreams streams, String rowsTopic, Optional<String> self) {
    Map<Integer, String> owners = new TreeMap<>();
    if (!streams.state().isRunningOrRebalancing()) {
      return owners;
    }
    for (StreamsMetadata node : streams.streamsMetadataForStore(RowsStores.NAME)) {
      HostInfo host = node.hostInfo();
      String address = host.host() + ":" + host.port();
      if (host.equals(HostInfo.unavailable()) || self.filter(address::equals).isPresent()) {
        continue;
      }
      for (TopicPartition partition : node.topicPartitions()) {
        if (partition.topic().equals(rowsTopic)) {
          owners.put(partition.partition(), address);
        }
      }
    }
    return owners;
  }
}
