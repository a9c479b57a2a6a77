package io.varve.ingest;

import io.varve.ingest.ledger.Ledger;
import io.varve.ingest.pack.PackingClients;
import io.varve.ingest.sharder.AutoSharding;
import io.varve.ingest.shards.LivePlans;
import io.varve.ingest.shards.PlanLead;
import io.varve.ingest.shards.ShardPlans;
import io.varve.ingest.store.RowsStores;
import io.varve.ingest.topics.LogWatch;
import io.varve.ingest.topics.SourceTopic;
import io.varve.ingest.topics.TopicPlan;
import io.varve.ingest.topics.TopicSetup;
import io.varve.ingest.traffic.Traffic;
import io.varve.schemas.SchemasRefusedException;
import io.varve.schemas.WriterSchemas;
import io.varve.storage.Compaction;
import io.varve.storage.PartitionReader;
import io.varve.storage.StoreUnavailableException;
import io.varve.storage.engine.StoreSettings;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's ingest: topics, the Streams application, and the live stores that it fills.
 *
 * <p>Life: constructed (no I/O), {@link #start started} once, {@link #close closed} once. All
 * methods may be called from any thread.
 */
public final class IngestService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IngestService.class);

  /** Acknowledged records that may wait while a node counts as keeping up. */
  private static final long MOST_LAG_RECORDS = 100_000;

  private final IngestSettings settings;
  private final InstantSource clock = InstantSource.system();
  private final TopicPlan plan;
  private final Ledger ledger = new Ledger();
  private final ThreadDeaths deaths = new ThreadDeaths(System::nanoTime);

  private volatile @Nullable Running running;
  private volatile boolean wasRunning;
  private volatile boolean paused;
  private volatile boolean closed;

  /** What exists between start and close. */
  private record Running(
      KafkaStreams streams,
      RowsStores stores,
      LogWatch watch,
      ShardPlans plans,
      Traffic traffic,
      AutoSharding sharding,
      Admin admin,
      Reporter reporter) {}

  public IngestService(IngestSettings settings) {
    this.settings = settings;
    this.plan = new TopicPlan(settings);
  }

  /**
   * Creates and checks the topics, opens the stores and starts the stream threads; returns before
   * the stores have caught up.
   *
   * @throws IngestStartException if the brokers, a topic, a schema or the store's record of itself
   *     forbids the start; the message says what to do
   */
  public synchronized void start() throws IngestStartException {
    if (running != null || closed) {
      throw new IllegalStateException("ingest is started once");
    }
    StreamsSettings.check(settings);
    PartitionCount.check(settings.stateFolder(), settings.rowsPartitions());
    WriterSchemas schemas = schemas();
    Admin admin = admin();
    try {
      start(admin, schemas);
    } finally {
      if (running == null) {
        admin.close(Duration.ZERO);
      }
    }
  }

  private void start(Admin admin, WriterSchemas schemas) throws IngestStartException {
    List<SourceTopic> sources =
        new TopicSetup(admin, plan, settings.ownBroker(), settings.bootstrapServers())
            .prepare(settings.sourceTopics());
    PartitionCount.record(settings.stateFolder(), settings.rowsPartitions());
    LogWatch watch =
        new LogWatch(
            admin, plan.names().rows(), settings.rowsPartitions(), sources, reportedTopics());
    ShardPlans plans = shardPlans();
    LivePlans live = plans.live();
    Traffic traffic = new Traffic(settings.sharding().shardRate(), live, clock);
    RowsStores stores =
        new RowsStores(storeSettings(), settings.limits().maxBytes(), watch, traffic, clock);
    AutoSharding sharding =
        new AutoSharding(
            settings.sharding(),
            settings.rowsPartitions(),
            traffic,
            plans,
            stores,
            this::keepsUp,
            clock);
    PackingClients clients =
        new PackingClients(
            plan.names().rows(), settings.rowsPartitions(), ledger::write, live::isConfirmed);
    KafkaStreams streams;
    try {
      streams =
          new KafkaStreams(
              IngestTopology.build(
                  settings,
                  plan.names(),
                  sources,
                  schemas,
                  stores,
                  live,
                  ledger,
                  clients::ofThisThread,
                  clock),
              StreamsSettings.streams(settings, TopicPlan.deadLetterBytes(sources)),
              clients);
    } catch (KafkaException e) {
      watch.close();
      throw failed("the stream could not be set up", e);
    }
    streams.setGlobalStateRestoreListener(stores);
    streams.setStandbyUpdateListener(stores);
    streams.setUncaughtExceptionHandler(deaths);
    streams.setStateListener(this::stateChanged);
    if (paused) {
      streams.pause();
    }
    Reporter reporter = new Reporter(plan.names().rows(), stores, ledger, watch, streams);
    ledger.logBegins(watch::beginOffset);
    running = new Running(streams, stores, watch, plans, traffic, sharding, admin, reporter);
    watch.start();
    plans.start();
    sharding.start();
    try {
      streams.start();
    } catch (UncheckedIOException e) {
      IngestStartException failed =
          new IngestStartException(
              "a store cannot be opened",
              e.getMessage() + ", cause=" + e.getCause(),
              "see that the disk has room and the folder can be written, then start again");
      failed.initCause(e);
      throw failed;
    }
  }

  private ShardPlans shardPlans() {
    return new ShardPlans(
        plan.names().shardPlans(),
        PlanLead.USUAL,
        () ->
            new KafkaConsumer<>(
                StreamsSettings.follower(settings),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer()),
        lead ->
            new KafkaProducer<>(
                StreamsSettings.writer(settings, lead.writtenWithin()),
                new ByteArraySerializer(),
                new ByteArraySerializer()),
        () -> ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant()));
  }

  private WriterSchemas schemas() throws IngestStartException {
    try {
      return settings.schemasFolder().isPresent()
          ? WriterSchemas.open(settings.schemasFolder().get())
          : WriterSchemas.released();
    } catch (SchemasRefusedException e) {
      IngestStartException refused =
          new IngestStartException(
              "the writers' schemas cannot be used",
              String.valueOf(e.getMessage()),
              "correct the files in the folder that --schemas names");
      refused.initCause(e);
      throw refused;
    }
  }

  private Admin admin() throws IngestStartException {
    try {
      return Admin.create(StreamsSettings.admin(settings));
    } catch (KafkaException e) {
      throw failed("no client for " + settings.bootstrapServers() + " could be made", e);
    }
  }

  private static IngestStartException failed(String what, KafkaException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    IngestStartException failed =
        new IngestStartException(
            what, String.valueOf(cause.getMessage()), "check -b and the settings given with -X");
    failed.initCause(e);
    return failed;
  }

  private StoreSettings storeSettings() {
    StoreSettings all =
        StoreSettings.defaults(settings.rowsPartitions())
            .withCloseAfter(settings.closeAfter())
            .withGuardrail(settings.limits().maxShardBytes(), settings.limits().maxShardRows());
    return settings
        .retention()
        .map(kept -> all.withRetention(TimeUnit.MICROSECONDS.convert(kept)))
        .orElse(all);
  }

  private List<String> reportedTopics() {
    List<String> topics = new ArrayList<>(settings.sourceTopics());
    topics.add(plan.names().rows());
    topics.add(plan.names().deadLetters());
    topics.add(plan.names().shardPlans());
    settings.sourceTopics().forEach(source -> topics.add(plan.ledgerChangelog(source)));
    return topics;
  }

  private void stateChanged(KafkaStreams.State now, KafkaStreams.State before) {
    LOG.info("Stream state: from={} to={}", before, now);
    if (now == KafkaStreams.State.RUNNING) {
      wasRunning = true;
    }
  }

  /** Stops reading and applying; stores keep answering. Survives rebalances. */
  public synchronized void pause() {
    paused = true;
    Running now = running;
    if (now != null) {
      now.streams.pause();
    }
  }

  /** Ends a {@link #pause}. */
  public synchronized void resume() {
    paused = false;
    Running now = running;
    if (now != null) {
      now.streams.resume();
    }
  }

  public boolean paused() {
    return paused;
  }

  public IngestState state() {
    Running now = running;
    if (closed) {
      return IngestState.STOPPED;
    }
    if (deaths.reason().isPresent()) {
      return IngestState.FAILED;
    }
    if (now == null) {
      return IngestState.STARTING;
    }
    return switch (now.streams.state()) {
      case CREATED -> IngestState.STARTING;
      case REBALANCING -> wasRunning ? IngestState.REBALANCING : IngestState.STARTING;
      case RUNNING -> IngestState.RUNNING;
      case PENDING_ERROR, ERROR -> IngestState.FAILED;
      case PENDING_SHUTDOWN, NOT_RUNNING -> IngestState.STOPPED;
    };
  }

  /** Why the state is {@link IngestState#FAILED}; empty in any other state. */
  public Optional<String> reason() {
    if (state() != IngestState.FAILED) {
      return Optional.empty();
    }
    return deaths.reason().or(() -> Optional.of("Kafka Streams gave up, see the log"));
  }

  /** Returns the stores on this node, whatever their state. */
  public List<PartitionReader> readers() {
    Running now = running;
    return now == null ? List.of() : now.stores.readers();
  }

  /**
   * Returns {@code host:port} of the node that owns each topic partition of {@code rows} which is
   * elsewhere; a topic partition that nobody owns is left out.
   */
  public Map<Integer, String> remoteOwners() {
    Running now = running;
    return now == null
        ? Map.of()
        : Owners.elsewhere(now.streams, plan.names().rows(), settings.advertised());
  }

  /** Returns this node's part in shard plans; empty before the start. */
  public Optional<ShardPlans> plans() {
    Running now = running;
    return now == null ? Optional.empty() : Optional.of(now.plans);
  }

  /** Tells whether rows are taken in, and not behind by more than some seconds' worth. */
  private boolean keepsUp() {
    return state() == IngestState.RUNNING && !paused && report().visibleLag() < MOST_LAG_RECORDS;
  }

  /** Returns what is measured of the stores' traffic; empty before the start. */
  public Optional<Traffic> traffic() {
    Running now = running;
    return now == null ? Optional.empty() : Optional.of(now.traffic);
  }

  /** Returns what decides on shards by itself; empty before the start. */
  public Optional<AutoSharding> sharding() {
    Running now = running;
    return now == null ? Optional.empty() : Optional.of(now.sharding);
  }

  /** Returns the counts and distances as of now. */
  public IngestReport report() {
    Running now = running;
    return now == null ? IngestReport.NOTHING : now.reporter.report();
  }

  /**
   * Brings every day of the serving stores into tight form, in the background; joins the run under
   * way if there is one.
   *
   * @return the days rewritten; fails with an {@link java.io.IOException} when a disk has no room,
   *     and with a {@link StoreUnavailableException} when there are no stores yet, one stopped to
   *     serve, or the node stops
   */
  public Future<Integer> compact() {
    Running now = running;
    return now == null
        ? CompletableFuture.failedFuture(
            new StoreUnavailableException("Ingest has not opened its stores yet."))
        : now.stores.compact();
  }

  /** Returns the progress of the current {@link #compact}, else of the last one. */
  public Compaction compaction() {
    Running now = running;
    return now == null ? Compaction.NONE : now.stores.compaction();
  }

  /** Why the last {@link #compact} did not reach its end; empty if it did. */
  public Optional<String> compactionFailure() {
    Running now = running;
    return now == null ? Optional.empty() : now.stores.compactionFailure();
  }

  /** Has those who wait for {@link #compact} wait no longer; {@link #close} does the same. */
  public void stopCompacting() {
    Running now = running;
    if (now != null) {
      now.stores.stopCompacting();
    }
  }

  /** Closes within 30 seconds. */
  @Override
  public void close() {
    close(Duration.ofSeconds(30));
  }

  /**
   * Stops taking in, commits, forces the stores and closes them. What is not done in time is left
   * to the next start, which replays it. The node stays a member of its group for the length of a
   * session, so that one that comes back within it finds its topic partitions waiting.
   */
  public synchronized void close(Duration atMost) {
    if (closed) {
      return;
    }
    closed = true;
    Running now = running;
    if (now == null) {
      return;
    }
    now.stores.stopCompacting();
    now.plans.stopWaiting();
    now.sharding.close();
    boolean complete =
        now.streams.close(
            CloseOptions.timeout(atMost)
                .withGroupMembershipOperation(
                    CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP));
    if (!complete) {
      LOG.warn("Stream did not close in time, the next start replays the rest: atMost={}", atMost);
    }
    now.plans.close();
    now.watch.close();
    now.admin.close(Duration.ZERO);
  }
}
