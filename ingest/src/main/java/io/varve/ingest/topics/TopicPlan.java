package io.varve.ingest.topics;

import io.varve.ingest.IngestSettings;
import io.varve.schemas.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Which topics a node needs and how they must be. Decides only; see {@link TopicSetup}. */
public final class TopicPlan {
  /** Kafka's own default for the largest record batch. */
  static final int DEFAULT_MAX_MESSAGE_BYTES = 1_048_588;

  /** Room that a dead letter's own headers and the batch's frame need beside the record. */
  private static final int DEAD_LETTER_ROOM_BYTES = 64 << 10;

  /** How much longer than the store the log keeps rows: a node may be down this long. */
  private static final Duration LOG_SLACK = Duration.ofDays(7);

  /** Long enough to find out, fix the sender and send again. */
  private static final Duration DEAD_LETTER_RETENTION = Duration.ofDays(30);

  /** As many as {@code rows} by default: each thread then routes as many as it applies. */
  private static final int CREATED_SOURCE_PARTITIONS = 8;

  private static final String PRODUCER_CLOCK = "a producer's clock must not expire the log";

  private final IngestSettings settings;
  private final Topics names;

  public TopicPlan(IngestSettings settings) {
    this.settings = settings;
    this.names = settings.ownBroker() ? Topics.OWN_BROKER : Topics.onSharedCluster(settings.name());
  }

  public Topics names() {
    return names;
  }

  /** Application id: group id, and prefix of the topics that Streams names itself. */
  public String applicationId() {
    return settings.name();
  }

  /** Name of the store that keeps the ledger of one source topic. */
  public static String ledgerStore(String sourceTopic) {
    return "ledger-" + sourceTopic;
  }

  /** Largest record batch that the dead-letter topic must take: more than any source's. */
  public static int deadLetterBytes(List<SourceTopic> sources) {
    int largest = DEFAULT_MAX_MESSAGE_BYTES;
    for (SourceTopic source : sources) {
      largest = Math.max(largest, source.maxMessageBytes());
    }
    return largest + DEAD_LETTER_ROOM_BYTES;
  }

  /** A source topic for a broker that is this node's own. */
  TopicSpec source(String name) {
    return new TopicSpec(
        name,
        CREATED_SOURCE_PARTITIONS,
        OptionalInt.empty(),
        List.of(
            TopicSpec.atCreation("message.timestamp.type", "LogAppendTime"),
            TopicSpec.atCreation(
                "retention.ms", Long.toString(settings.readingsRetention().toMillis()))));
  }

  /** Varve's own topics, once the sources are known. */
  List<TopicSpec> own(List<SourceTopic> sources) {
    List<TopicSpec> own = new ArrayList<>();
    own.add(rows());
    own.add(deadLetters(sources));
    own.add(
        new TopicSpec(
            names.shardPlans(),
            1,
            OptionalInt.of(1),
            List.of(TopicSpec.exactly("cleanup.policy", "compact", "each plan must be kept"))));
    for (SourceTopic source : sources) {
      own.add(ledger(source));
    }
    return own;
  }

  private TopicSpec rows() {
    long retention = settings.retention().map(kept -> kept.plus(LOG_SLACK).toMillis()).orElse(-1L);
    String log = "it is the only log of the store";
    return new TopicSpec(
        names.rows(),
        settings.rowsPartitions(),
        OptionalInt.of(settings.rowsPartitions()),
        List.of(
            TopicSpec.exactly("cleanup.policy", "delete", log),
            TopicSpec.exactly("message.timestamp.type", "LogAppendTime", PRODUCER_CLOCK),
            TopicSpec.atLeast("retention.ms", retention, log),
            TopicSpec.atLeast("retention.bytes", -1, log),
            TopicSpec.atLeast(
                "max.message.bytes", DEFAULT_MAX_MESSAGE_BYTES, "packed rows must fit")));
  }

  private TopicSpec deadLetters(List<SourceTopic> sources) {
    return new TopicSpec(
        names.deadLetters(),
        1, // Few in a healthy system, and read by people in the order in which they came.
        OptionalInt.empty(),
        List.of(
            TopicSpec.exactly("cleanup.policy", "delete", "dead letters may have no key"),
            TopicSpec.exactly("message.timestamp.type", "LogAppendTime", PRODUCER_CLOCK),
            TopicSpec.atCreation("retention.ms", Long.toString(DEAD_LETTER_RETENTION.toMillis())),
            TopicSpec.atLeast(
                "max.message.bytes",
                deadLetterBytes(sources),
                "any record of a source topic must fit with the headers that say what is wrong")));
  }

  /** Topic that the ledger of one source topic is logged to. */
  public String ledgerChangelog(String sourceTopic) {
    return applicationId() + "-" + ledgerStore(sourceTopic) + "-changelog";
  }

  /**
   * The changelog of a ledger store, made ahead of Streams: the first write into a topic just
   * created may be lost, and its partitions must follow those of a source topic that grew.
   */
  private TopicSpec ledger(SourceTopic source) {
    return new TopicSpec(
        ledgerChangelog(source.name()),
        source.partitions(),
        OptionalInt.of(source.partitions()),
        List.of(
            TopicSpec.exactly("cleanup.policy", "compact", "each topic partition has one entry"),
            TopicSpec.atCreation("message.timestamp.type", "LogAppendTime"),
            // An entry a second and little else: small files keep the restore at start short.
            TopicSpec.atCreation("segment.bytes", Integer.toString(4 << 20)),
            TopicSpec.atCreation("min.cleanable.dirty.ratio", "0.1")));
  }
}
