package io.varve.ingest.topics;

import io.varve.ingest.store.LogBounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the logs begin and end and how large they are, asked of the brokers once a second by a
 * thread of its own: distances grow also while nothing is read.
 */
public final class LogWatch implements LogBounds, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogWatch.class);

  private static final long ASK_EVERY_MILLIS = 1000;
  private static final int SIZES_EVERY = 10;
  private static final int ASK_TIMEOUT_MILLIS = 10_000;

  private final Admin admin;
  private final String rowsTopic;
  private final List<TopicPartition> rows = new ArrayList<>();
  private final List<TopicPartition> all = new ArrayList<>();
  private final List<String> sized;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread watcher = new Thread(task, "varve-log-watch");
            watcher.setDaemon(true);
            return watcher;
          });
  private volatile Map<TopicPartition, Long> ends = Map.of();
  private volatile Map<TopicPartition, Long> begins = Map.of();
  private volatile Map<String, Long> bytes = Map.of();
  private volatile Map<TopicPartition, Long> replicaBytes = Map.of();
  private int rounds;
  private boolean failing;
  private boolean sizesRefused;

  /**
   * @param admin used, not closed
   * @param sized topics whose bytes are asked for
   */
  public LogWatch(
      Admin admin,
      String rowsTopic,
      int rowsPartitions,
      List<SourceTopic> sources,
      List<String> sized) {
    this.admin = admin;
    this.rowsTopic = rowsTopic;
    this.sized = List.copyOf(sized);
    addAll(rows, rowsTopic, rowsPartitions);
    all.addAll(rows);
    for (SourceTopic source : sources) {
      addAll(all, source.name(), source.partitions());
    }
  }

  private static void addAll(List<TopicPartition> to, String topic, int partitions) {
    for (int p = 0; p < partitions; p++) {
      to.add(new TopicPartition(topic, p));
    }
  }

  /** Begins to ask. */
  public void start() {
    thread.scheduleWithFixedDelay(this::ask, 0, ASK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Offset that the next record will get, for readers of committed records; empty if unknown. */
  public OptionalLong endOffset(String topic, int partition) {
    return known(ends, topic, partition);
  }

  /** Oldest offset held; empty if unknown. */
  public OptionalLong beginOffset(String topic, int partition) {
    return known(begins, topic, partition);
  }

  private static OptionalLong known(Map<TopicPartition, Long> offsets, String topic, int p) {
    Long offset = offsets.get(new TopicPartition(topic, p));
    return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
  }

  /** Bytes on the brokers' disks by topic, all replicas; topics of unknown size are left out. */
  public Map<String, Long> bytes() {
    return bytes;
  }

  /** Bytes of one replica of a topic partition; empty where the brokers do not tell. */
  public OptionalLong replicaBytes(String topic, int partition) {
    return known(replicaBytes, topic, partition);
  }

  @Override
  public Span of(int topicPartition) {
    List<TopicPartition> one = List.of(new TopicPartition(rowsTopic, topicPartition));
    try {
      long begin = offsets(one, OffsetSpec.earliest()).getOrDefault(one.get(0), 0L);
      long end = offsets(one, OffsetSpec.latest()).getOrDefault(one.get(0), begin);
      return new Span(begin, end);
    } catch (ExecutionException e) {
      throw new TimeoutException("log bounds unknown: topic partition=" + one.get(0), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TimeoutException("interrupted asking for log bounds: " + one.get(0), e);
    }
  }

  private Map<TopicPartition, Long> offsets(List<TopicPartition> of, OffsetSpec which)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> question = new HashMap<>();
    of.forEach(partition -> question.put(partition, which));
    ListOffsetsOptions committed =
        new ListOffsetsOptions(IsolationLevel.READ_COMMITTED).timeoutMs(ASK_TIMEOUT_MILLIS);
    Map<TopicPartition, Long> offsets = new HashMap<>();
    for (Map.Entry<TopicPartition, ListOffsetsResultInfo> answer :
        admin.listOffsets(question, committed).all().get().entrySet()) {
      offsets.put(answer.getKey(), answer.getValue().offset());
    }
    return offsets;
  }

  private void ask() {
    try {
      ends = offsets(all, OffsetSpec.latest());
      begins = offsets(all, OffsetSpec.earliest());
      if (rounds++ % SIZES_EVERY == 0) {
        askSizes();
      }
      if (failing) {
        failing = false;
        LOG.info("Brokers answer again");
      }
    } catch (ExecutionException | RuntimeException e) {
      // The edge of this thread: what was known stays, and the next round asks again.
      if (!failing) {
        failing = true;
        LOG.warn("Brokers do not tell offsets, asking again each second: cause={}", e.toString());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks for sizes apart from offsets: a broker may tell the one and refuse the other. */
  private void askSizes() throws InterruptedException {
    try {
      List<Integer> brokers = admin.describeCluster().nodes().get().stream().map(Node::id).toList();
      Map<String, Long> all = new HashMap<>();
      Map<TopicPartition, Long> largest = new HashMap<>();
      for (Map<String, LogDirDescription> folders :
          admin.describeLogDirs(brokers).allDescriptions().get().values()) {
        for (LogDirDescription folder : folders.values()) {
          folder
              .replicaInfos()
              .forEach(
                  (partition, info) -> {
                    if (sized.contains(partition.topic())) {
                      all.merge(partition.topic(), info.size(), Long::sum);
                      largest.merge(partition, info.size(), Long::max);
                    }
                  });
        }
      }
      bytes = Map.copyOf(all);
      replicaBytes = Map.copyOf(largest);
      sizesRefused = false;
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof RetriableException)) {
        bytes = Map.of();
        replicaBytes = Map.of();
      }
      if (!sizesRefused) {
        sizesRefused = true;
        LOG.warn("Brokers do not tell sizes of topics, asking again: cause={}", e.toString());
      }
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
