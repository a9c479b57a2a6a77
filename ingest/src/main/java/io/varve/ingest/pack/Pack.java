package io.varve.ingest.pack;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one topic partition that wait to be sent as one record. Its lock spans packing and
 * the inner send, so that records leave in the order in which their rows came.
 *
 * <p>Each row's callback is called exactly once: with the record's metadata or error when the inner
 * producer reports, with the error when its send throws, or when the pack is discarded.
 */
final class Pack {
  private final ReentrantLock lock = new ReentrantLock();
  private final Producer<byte[], byte[]> inner;
  private final int maxRecordBytes;

  private byte[] buffer = new byte[1024];
  private Load load = new Load();
  private volatile boolean empty = true;
  private boolean closed;

  /** What one record carries beside its bytes. */
  private static final class Load {
    private final List<Callback> callbacks = new ArrayList<>();
    private final CompletableFuture<RecordMetadata> sent = new CompletableFuture<>();
    private @Nullable ProducerRecord<byte[], byte[]> first;
    private int size;

    private void complete(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
      boolean first =
          exception == null ? sent.complete(metadata) : sent.completeExceptionally(exception);
      if (first) {
        for (Callback callback : callbacks) {
          callback.onCompletion(metadata, exception);
        }
      }
    }
  }

  Pack(Producer<byte[], byte[]> inner, int maxRecordBytes) {
    this.inner = inner;
    this.maxRecordBytes = maxRecordBytes;
  }

  /** Tells, without waiting, whether nothing waits to be sent. */
  boolean isEmpty() {
    return empty;
  }

  /**
   * Adds a record's rows behind those that wait, sending what waits first if both do not fit.
   *
   * @return completes as the record that carries the rows does
   */
  CompletableFuture<RecordMetadata> add(
      ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("producer is closed: topic=" + record.topic());
      }
      byte[] value = record.value();
      if (load.size > 0 && load.size + value.length - 1 > maxRecordBytes) {
        send();
      }
      append(record, value);
      CompletableFuture<RecordMetadata> sent = load.sent;
      if (callback != null) {
        load.callbacks.add(callback);
      }
      if (load.size >= maxRecordBytes) {
        send();
      } else {
        empty = false;
      }
      return sent;
    } finally {
      lock.unlock();
    }
  }

  private void append(ProducerRecord<byte[], byte[]> record, byte[] value) {
    // Records of rows concatenate when the later one loses its version byte.
    int from = load.size == 0 ? 0 : 1;
    int length = value.length - from;
    if (buffer.length - load.size < length) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, load.size + length));
    }
    System.arraycopy(value, from, buffer, load.size, length);
    load.size += length;
    if (load.first == null) {
      load.first = record;
    }
  }

  /** Sends what waits; on return the inner producer has it or its callbacks have the error. */
  void drain() {
    lock.lock();
    try {
      send();
    } finally {
      lock.unlock();
    }
  }

  /** Sends what waits, then a record that is not to be packed, with nothing between the two. */
  Future<RecordMetadata> sendAlone(
      ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
    lock.lock();
    try {
      send();
      return inner.send(record, callback);
    } finally {
      lock.unlock();
    }
  }

  private void send() {
    ProducerRecord<byte[], byte[]> first = load.first;
    if (first == null) {
      return;
    }
    Load leaving = load;
    load = new Load();
    empty = true;
    byte[] value = Arrays.copyOf(buffer, leaving.size);
    try {
      inner.send(
          new ProducerRecord<>(
              first.topic(), first.partition(), first.timestamp(), first.key(), value),
          leaving::complete);
    } catch (RuntimeException e) {
      // Rows taken earlier have no other way to learn of it; the sender meets it in its callback.
      leaving.complete(null, e);
    }
  }

  /** Drops what waits; its callbacks get an error. */
  void discard() {
    lock.lock();
    try {
      Load dropped = load;
      load = new Load();
      empty = true;
      dropped.complete(null, new KafkaException("producer closed before the rows were sent"));
    } finally {
      lock.unlock();
    }
  }

  /** Refuses rows from now on; what waits is sent, or dropped. */
  void close(boolean discard) {
    lock.lock();
    try {
      closed = true;
      if (discard) {
        discard();
      } else {
        send();
      }
    } finally {
      lock.unlock();
    }
  }
}
