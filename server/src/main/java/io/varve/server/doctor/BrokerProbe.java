package io.varve.server.doctor;

import io.varve.schemas.Topics;
import io.varve.server.doctor.BrokerFigures.GroupOffset;
import io.varve.server.net.Ports;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;

/** Asks the brokers of a node. Reads only; single-threaded. */
public final class BrokerProbe {
  private static final long WAIT_SECONDS = 15;

  private final Admin admin;
  private final NodeFigures node;
  private final String rowsTopic;

  private BrokerProbe(Admin admin, NodeFigures node) {
    this.admin = admin;
    this.node = node;
    Topics topics = node.ownBroker() ? Topics.OWN_BROKER : Topics.onSharedCluster(node.name());
    this.rowsTopic = topics.rows();
  }

  /**
   * Asks.
   *
   * @param brokers their addresses
   * @param overrides client settings that win over the probe's own
   * @throws ProbeException when they do not answer, or have none of the node's topics
   */
  public static BrokerFigures ask(String brokers, Map<String, String> overrides, NodeFigures node)
      throws ProbeException, InterruptedException {
    if (!Ports.anyListens(brokers)) {
      throw new ProbeException("no broker answers at " + brokers);
    }
    Map<String, Object> config = new HashMap<>();
    config.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
    config.put(AdminClientConfig.CLIENT_ID_CONFIG, "varve-doctor");
    config.putAll(overrides);
    try (Admin admin = Admin.create(config)) {
      return new BrokerProbe(admin, node).figures();
    } catch (KafkaException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new ProbeException("Kafka refuses the settings: " + cause.getMessage(), e);
    }
  }

  private BrokerFigures figures() throws ProbeException, InterruptedException {
    List<String> names = new ArrayList<>(node.sources());
    names.add(rowsTopic);
    Map<String, TopicDescription> topics =
        get("describe topics " + names, admin.describeTopics(names).allTopicNames());
    Map<String, Integer> sourcePartitions = new HashMap<>();
    List<TopicPartition> sources = new ArrayList<>();
    List<TopicPartition> all = new ArrayList<>();
    topics.forEach(
        (name, topic) -> {
          int count = topic.partitions().size();
          for (int p = 0; p < count; p++) {
            all.add(new TopicPartition(name, p));
          }
          if (!name.equals(rowsTopic)) {
            sourcePartitions.put(name, count);
          }
        });
    all.stream().filter(p -> !p.topic().equals(rowsTopic)).forEach(sources::add);
    Config rows = config();
    return new BrokerFigures(
        rowsTopic,
        all.size() - sources.size(),
        setting(rows, "retention.ms"),
        setting(rows, "retention.bytes"),
        sourcePartitions,
        newestAppend(all.stream().filter(p -> p.topic().equals(rowsTopic)).toList()),
        members(),
        offsets(sources));
  }

  private Config config() throws ProbeException, InterruptedException {
    ConfigResource rows = new ConfigResource(ConfigResource.Type.TOPIC, rowsTopic);
    Config config =
        get("read settings of " + rowsTopic, admin.describeConfigs(List.of(rows)).all()).get(rows);
    if (config == null) {
      throw new ProbeException("the brokers do not tell the settings of " + rowsTopic);
    }
    return config;
  }

  private static long setting(Config config, String name) {
    ConfigEntry entry = config.get(name);
    return entry == null || entry.value() == null ? -1 : Long.parseLong(entry.value());
  }

  /** Only of {@code rows}: the times in source topics may be the producers' own. */
  private OptionalLong newestAppend(List<TopicPartition> partitions)
      throws ProbeException, InterruptedException {
    return offsets(partitions, OffsetSpec.maxTimestamp()).values().stream()
        .mapToLong(ListOffsetsResultInfo::timestamp)
        .filter(millis -> millis >= 0)
        .map(millis -> millis * 1000)
        .max();
  }

  private Map<TopicPartition, ListOffsetsResultInfo> offsets(
      List<TopicPartition> of, OffsetSpec which) throws ProbeException, InterruptedException {
    Map<TopicPartition, OffsetSpec> question = new HashMap<>();
    of.forEach(partition -> question.put(partition, which));
    return get("list offsets", admin.listOffsets(question).all());
  }

  /** Members of the group; its threads under the classic protocol. */
  private OptionalLong members() throws ProbeException, InterruptedException {
    try {
      return OptionalLong.of(
          get(
                  "describe group " + node.name(),
                  admin.describeConsumerGroups(List.of(node.name())).all())
              .values()
              .stream()
              .mapToLong(group -> group.members().size())
              .sum());
    } catch (ProbeException e) {
      return OptionalLong.empty(); // a group of another protocol; said as an unknown number
    }
  }

  private List<GroupOffset> offsets(List<TopicPartition> sources)
      throws ProbeException, InterruptedException {
    Map<TopicPartition, ListOffsetsResultInfo> begins = offsets(sources, OffsetSpec.earliest());
    Map<TopicPartition, OffsetAndMetadata> committed =
        get(
            "list offsets of group " + node.name(),
            admin.listConsumerGroupOffsets(node.name()).partitionsToOffsetAndMetadata());
    List<GroupOffset> offsets = new ArrayList<>();
    for (TopicPartition each : sources) {
      OffsetAndMetadata at = committed.get(each);
      ListOffsetsResultInfo begin = begins.get(each);
      offsets.add(
          new GroupOffset(
              each.topic() + "-" + each.partition(),
              at == null ? OptionalLong.empty() : OptionalLong.of(at.offset()),
              begin == null ? 0 : begin.offset()));
    }
    return offsets;
  }

  private static <T> T get(String what, KafkaFuture<T> answer)
      throws ProbeException, InterruptedException {
    try {
      return answer.get(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new ProbeException("can't " + what + ": " + cause.getMessage(), e);
    } catch (TimeoutException e) {
      throw new ProbeException("can't " + what + ": no answer in " + WAIT_SECONDS + " s", e);
    }
  }
}
