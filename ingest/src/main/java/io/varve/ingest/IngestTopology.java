package io.varve.ingest;

import io.varve.ingest.check.ReadingChecks;
import io.varve.ingest.ledger.Ledger;
import io.varve.ingest.pack.RowPacks;
import io.varve.ingest.route.ArrivalTime;
import io.varve.ingest.route.RouterSettings;
import io.varve.ingest.route.RouterSupplier;
import io.varve.ingest.shards.LivePlans;
import io.varve.ingest.store.RowsStores;
import io.varve.ingest.topics.SourceTopic;
import io.varve.ingest.topics.TopicPlan;
import io.varve.schemas.Topics;
import io.varve.schemas.WriterSchemas;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The shape of the stream.
 *
 * <pre>
 *   source topic ──► route ──► rows ──► apply ──► partition store
 *                      └─────► readings.dlq
 * </pre>
 *
 * <p>Streams knows no edge from route to rows: rows leave packed, by the stream thread's own
 * producer but not as records that Streams forwards one by one.
 *
 * <p>Each source topic is a sub-topology of its own, so that its ledger follows its own number of
 * partitions. The one from {@code rows} to the store comes first by the name of its source node:
 * Streams numbers sub-topologies in that order, store folders carry the number, and it must not
 * depend on how many source topics are named.
 */
final class IngestTopology {
  /** Sorts before every {@link #sourceNode}. */
  private static final String ROWS_NODE = "rows";

  private IngestTopology() {}

  private static String sourceNode(String topic) {
    return "source-" + topic;
  }

  static Topology build(
      IngestSettings settings,
      Topics names,
      List<SourceTopic> sources,
      WriterSchemas schemas,
      RowsStores stores,
      LivePlans plans,
      Ledger ledger,
      Supplier<RowPacks> packsOfThisThread,
      InstantSource clock) {
    Topology topology = new Topology();
    TimestampExtractor arrival = new ArrivalTime(clock);
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    topology.addReadOnlyStateStore(
        stores.builder(), ROWS_NODE, arrival, bytes, bytes, names.rows(), "apply", stores::applier);
    ReadingChecks checks =
        new ReadingChecks(settings.retention(), settings.maxFuture(), settings.allow1970());
    for (SourceTopic source : sources) {
      RouterSettings router =
          new RouterSettings(
              source.name(),
              source.id(),
              schemas,
              checks,
              plans,
              settings.rowsPartitions(),
              TopicPlan.deadLetterBytes(sources),
              "dead-letters-of-" + source.name(),
              TopicPlan.ledgerStore(source.name()));
      addRouting(
          topology, names, arrival, router, new RouterSupplier(router, ledger, packsOfThisThread));
    }
    return topology;
  }

  private static void addRouting(
      Topology topology,
      Topics names,
      TimestampExtractor arrival,
      RouterSettings router,
      RouterSupplier routers) {
    String route = "route-" + router.sourceTopic();
    ByteArraySerializer toBytes = new ByteArraySerializer();
    // No offset reset and no serdes here, so that the settings decide.
    topology.addSource(arrival, sourceNode(router.sourceTopic()), router.sourceTopic());
    topology.addProcessor(route, routers, sourceNode(router.sourceTopic()));
    topology.addSink(router.deadLetterSink(), names.deadLetters(), toBytes, toBytes, route);
  }
}
