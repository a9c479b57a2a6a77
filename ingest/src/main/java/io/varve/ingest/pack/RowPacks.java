package io.varve.ingest.pack;

import io.varve.storage.rows.RowPack;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * The rows that one stream thread has routed and not yet sent: one record of {@code rows} in the
 * making for each topic partition, filled by all routers of the thread.
 *
 * <p>A hop through a topic costs several times what a row costs, so rows leave many to a record:
 * when a record is full, whenever the thread has worked off what it polled, and before each commit.
 * What keeps at-least-once: Streams flushes its producer before it commits consumer offsets, the
 * flush sends what waits, and {@link #check} then throws if any row did not arrive.
 *
 * <p>Used by its stream thread alone; only the producer's callbacks come from elsewhere.
 */
public final class RowPacks {
  private final Producer<byte[], byte[]> producer;
  private final String rowsTopic;
  private final int maxRecordBytes;
  private final RowPack.Writer[] writers;
  private final byte[][] keys;
  private final Set<TaskId> routers = new HashSet<>();

  /** Routers of which rows did not arrive, for {@link #fault}; each until it is closed. */
  private final Set<TaskId> owing = new HashSet<>();

  private @Nullable Exception fault;
  private boolean waiting;
  private boolean sentBeforePolls;
  private volatile @Nullable Exception failure;

  /**
   * @param producer sends the records; flushed and closed by its owner
   * @param topicPartitions partitions of {@code rowsTopic}
   * @param maxRecordBytes most bytes of a record's value; far below {@code max.request.size}
   */
  public RowPacks(
      Producer<byte[], byte[]> producer,
      String rowsTopic,
      int topicPartitions,
      int maxRecordBytes) {
    this.producer = producer;
    this.rowsTopic = rowsTopic;
    this.maxRecordBytes = maxRecordBytes;
    writers = new RowPack.Writer[topicPartitions];
    keys = new byte[topicPartitions][];
    for (int p = 0; p < topicPartitions; p++) {
      writers[p] = new RowPack.Writer();
      // For people who read the log: the key says what the partition does.
      keys[p] = Integer.toString(p).getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** Has a routing task take part: rows that did not arrive make it route again. */
  public void open(TaskId router) {
    routers.add(router);
  }

  /** Ends {@link #open}; its rows that wait are sent with the others. */
  public void close(TaskId router) {
    routers.remove(router);
    owing.remove(router);
  }

  /** Adds a row behind those of its topic partition, sending them if the record is full. */
  public void add(
      int topicPartition,
      byte[] id,
      int idOffset,
      int idLength,
      int shard,
      long timestampMicros,
      long sequence,
      long valueBits) {
    RowPack.Writer writer = writers[topicPartition];
    writer.add(id, idOffset, idLength, shard, timestampMicros, sequence, valueBits);
    waiting = true;
    if (writer.size() > maxRecordBytes - RowPack.MAX_ROW_BYTES) {
      send(topicPartition);
    }
  }

  /** Hands what waits to the producer, as is done before each poll from now on. */
  void sendBeforePoll() {
    sentBeforePolls = true;
    send();
  }

  /** Hands what waits to the producer if no poll does, to be called by a clock. */
  public void sendByClock() {
    if (!sentBeforePolls) {
      send();
    }
  }

  /** Hands what waits to the producer. */
  public void send() {
    if (!waiting) {
      return;
    }
    waiting = false;
    for (int p = 0; p < writers.length; p++) {
      if (writers[p].rows() > 0) {
        send(p);
      }
    }
  }

  private void send(int topicPartition) {
    byte[] value = writers[topicPartition].toBytes();
    writers[topicPartition].clear();
    try {
      producer.send(
          new ProducerRecord<>(rowsTopic, topicPartition, keys[topicPartition], value),
          (metadata, exception) -> {
            if (exception != null) {
              failure = exception;
            }
          });
    } catch (RuntimeException e) {
      failure = e; // For check(): whoever adds a row is not the one to answer for those before it.
    }
  }

  /**
   * Throws if rows did not arrive, again and again until each router that may have routed them has
   * been closed; to be called when all that was sent has been answered and before the offsets of
   * any task are committed. Once would not do: a stream thread that closes in order asks each of
   * its tasks for its offsets, and commits those of the ones that do not throw.
   *
   * @throws TaskCorruptedException if the fault may pass: the routing tasks go back to their last
   *     commit and route again
   * @throws StreamsException if it will not: the thread ends
   */
  public void check() {
    Exception fresh = failure;
    if (fresh != null) {
      failure = null;
      fault = fresh;
      owing.addAll(routers);
    }
    if (owing.isEmpty()) {
      return; // Whoever routed what is lost has left, and committed nothing since its last flush.
    }
    if (fault instanceof RetriableException) {
      throw new TaskCorruptedException(Set.copyOf(owing));
    }
    throw new StreamsException("rows could not be sent: topic=" + rowsTopic, fault);
  }
}
