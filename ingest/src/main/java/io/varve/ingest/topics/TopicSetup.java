package io.varve.ingest.topics;

import io.varve.ingest.IngestStartException;
import io.varve.ingest.topics.TopicSpec.Setting;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the topics of a {@link TopicPlan} into being before Streams starts.
 *
 * <p>A source topic is taken as it is; it is created only on a broker that is this node's own. One
 * of Varve's own topics that exists with other settings is refused, with both values. On a broker
 * of its own a node raises what it may raise without harm (a longer retention, a larger message)
 * instead of sending its user to a tool that is not there.
 */
public final class TopicSetup {
  private static final Logger LOG = LoggerFactory.getLogger(TopicSetup.class);

  private static final int MAX_REPLICATION = 3;

  /**
   * How old a created topic must be before it is written to. A producer that writes sooner may lose
   * the first batch of a topic partition for as long as its delivery timeout (KAFKA-15591): the
   * broker knows the topic by then, but not yet that it leads the partition.
   */
  private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1200);

  private final Admin admin;
  private final TopicPlan plan;
  private final boolean ownBroker;
  private final BrokerCalls calls;
  private long lastCreated;
  private boolean created;

  /**
   * @param admin used, not closed
   * @param brokers their addresses, for messages
   */
  public TopicSetup(Admin admin, TopicPlan plan, boolean ownBroker, String brokers) {
    this.admin = admin;
    this.plan = plan;
    this.ownBroker = ownBroker;
    this.calls = new BrokerCalls(brokers);
  }

  /**
   * Finds the source topics and makes or checks Varve's own; returns when all may be written to.
   *
   * @param sourceNames source topics, in the order in which they were named
   * @throws IngestStartException if a topic is missing or has other settings, or no broker answers
   */
  public List<SourceTopic> prepare(List<String> sourceNames) throws IngestStartException {
    List<SourceTopic> sources = sources(sourceNames);
    List<TopicSpec> own = plan.own(sources);
    Map<String, TopicDescription> existing = describe(own.stream().map(TopicSpec::name).toList());
    for (TopicSpec spec : own) {
      TopicDescription found = existing.get(spec.name());
      if (found == null) {
        create(spec);
      } else {
        check(spec, found);
      }
    }
    settle(own);
    return sources;
  }

  private List<SourceTopic> sources(List<String> names) throws IngestStartException {
    Map<String, TopicDescription> found = describe(names);
    if (!found.keySet().containsAll(names)) {
      for (String name : names) {
        if (!found.containsKey(name)) {
          createSource(name);
        }
      }
      found = awaitLeaders(names);
    }
    List<SourceTopic> sources = new ArrayList<>();
    for (String name : names) {
      TopicDescription topic = Optional.ofNullable(found.get(name)).orElseThrow();
      sources.add(
          new SourceTopic(
              name,
              topic.topicId().toString(),
              topic.partitions().size(),
              maxMessageBytes(config(name))));
    }
    return sources;
  }

  private static int maxMessageBytes(Config config) {
    String value = value(config, "max.message.bytes");
    return value.isEmpty() ? TopicPlan.DEFAULT_MAX_MESSAGE_BYTES : Integer.parseInt(value);
  }

  private void createSource(String name) throws IngestStartException {
    if (!ownBroker) {
      throw new IngestStartException(
          "source topic " + name + " does not exist",
          "the brokers at "
              + calls.brokers()
              + " do not know it, and a shared cluster's topics are its"
              + " owner's to create",
          "create it, or name another with --topic");
    }
    create(plan.source(name));
  }

  private void create(TopicSpec spec) throws IngestStartException {
    int nodes = calls.await("list brokers", admin.describeCluster().nodes()).size();
    short replication = (short) Math.min(MAX_REPLICATION, nodes);
    Map<String, String> configs = new LinkedHashMap<>();
    for (Setting setting : spec.settings()) {
      configs.put(setting.name(), setting.value());
    }
    if (replication == MAX_REPLICATION) {
      configs.put("min.insync.replicas", "2");
    }
    NewTopic topic = new NewTopic(spec.name(), spec.partitions(), replication).configs(configs);
    boolean first =
        calls.doneUnless(
            "create topic " + spec.name(),
            admin.createTopics(Set.of(topic)).all(),
            TopicExistsException.class);
    LOG.info(
        "Topic {}: topic={} partitions={}",
        first ? "created" : "created by another node",
        spec.name(),
        spec.partitions());
    created = true;
    lastCreated = System.nanoTime();
  }

  private void check(TopicSpec spec, TopicDescription found) throws IngestStartException {
    int partitions = found.partitions().size();
    if (spec.exactPartitions().isPresent()
        && partitions != spec.exactPartitions().getAsInt()
        && !grown(spec, partitions)) {
      throw refused(
          spec.name(),
          "partitions",
          Integer.toString(partitions),
          Integer.toString(spec.exactPartitions().getAsInt()),
          "its number is fixed for life");
    }
    Config config = config(spec.name());
    for (Setting setting : spec.settings()) {
      String existing = value(config, setting.name());
      if (!setting.accepts(existing) && !raised(spec, setting, existing)) {
        throw refused(spec.name(), setting.name(), existing, setting.value(), setting.why());
      }
    }
  }

  /** Follows a source topic that has more partitions than at the last start. */
  private boolean grown(TopicSpec spec, int partitions) throws IngestStartException {
    boolean changelog = spec.name().startsWith(plan.applicationId() + "-ledger-");
    if (!changelog || partitions > spec.partitions()) {
      return false;
    }
    calls.done(
        "add partitions to topic " + spec.name(),
        admin
            .createPartitions(Map.of(spec.name(), NewPartitions.increaseTo(spec.partitions())))
            .all());
    LOG.info(
        "Partitions added: topic={} from={} to={}", spec.name(), partitions, spec.partitions());
    created = true;
    lastCreated = System.nanoTime();
    return true;
  }

  private boolean raised(TopicSpec spec, Setting setting, String existing)
      throws IngestStartException {
    if (!ownBroker || setting.rule() != TopicSpec.Rule.AT_LEAST) {
      return false;
    }
    AlterConfigOp raise =
        new AlterConfigOp(
            new ConfigEntry(setting.name(), setting.value()), AlterConfigOp.OpType.SET);
    calls.done(
        "raise " + setting.name() + " of topic " + spec.name(),
        admin.incrementalAlterConfigs(Map.of(resource(spec.name()), List.of(raise))).all());
    LOG.warn(
        "Topic setting raised: topic={} setting={} from={} to={}",
        spec.name(),
        setting.name(),
        existing,
        setting.value());
    return true;
  }

  private static IngestStartException refused(
      String topic, String setting, String existing, String wanted, String why) {
    return new IngestStartException(
        "topic " + topic + " has another " + setting + " than Varve needs",
        "it has " + setting + "=" + existing + ", needed is " + wanted + ", because " + why,
        setting.equals("partitions")
            ? "start with --partitions " + existing + ", or use another --name"
            : "alter the topic (kafka-configs.sh --alter --topic "
                + topic
                + " --add-config "
                + setting
                + "="
                + wanted
                + "), or use another --name");
  }

  /** Waits until created topics have leaders everywhere and the race after creation is over. */
  private void settle(List<TopicSpec> own) throws IngestStartException {
    if (!created) {
      return;
    }
    awaitLeaders(own.stream().map(TopicSpec::name).toList());
    long left = SETTLE_NANOS - (System.nanoTime() - lastCreated);
    if (left > 0) {
      BrokerCalls.pause(left);
    }
  }

  private Map<String, TopicDescription> awaitLeaders(List<String> names)
      throws IngestStartException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BrokerCalls.TIMEOUT_SECONDS);
    while (true) {
      Map<String, TopicDescription> found = describe(names);
      if (found.size() == names.size()
          && found.values().stream()
              .flatMap(topic -> topic.partitions().stream())
              .allMatch(partition -> partition.leader() != null)) {
        return found;
      }
      if (System.nanoTime() > deadline) {
        throw new IngestStartException(
            "topics have no leaders",
            "after "
                + BrokerCalls.TIMEOUT_SECONDS
                + " s some of "
                + names
                + " cannot be written to",
            "look at the brokers at " + calls.brokers());
      }
      BrokerCalls.pause(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  /** Describes those topics that exist. */
  private Map<String, TopicDescription> describe(Collection<String> names)
      throws IngestStartException {
    Map<String, TopicDescription> found = new HashMap<>();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
        admin.describeTopics(names).topicNameValues().entrySet()) {
      calls
          .awaitUnless(
              "describe topic " + topic.getKey(),
              topic.getValue(),
              UnknownTopicOrPartitionException.class)
          .ifPresent(description -> found.put(topic.getKey(), description));
    }
    return found;
  }

  private Config config(String topic) throws IngestStartException {
    ConfigResource resource = resource(topic);
    return Optional.ofNullable(
            calls
                .await(
                    "read settings of topic " + topic,
                    admin.describeConfigs(Set.of(resource)).all())
                .get(resource))
        .orElseThrow();
  }

  private static ConfigResource resource(String topic) {
    return new ConfigResource(ConfigResource.Type.TOPIC, topic);
  }

  private static String value(Config config, String setting) {
    ConfigEntry entry = config.get(setting);
    return entry == null || entry.value() == null ? "" : entry.value();
  }
}
