package io.varve.load.lab;

import io.varve.load.target.Delivery;
import io.varve.load.target.Queries;
import io.varve.load.target.QueryException;
import io.varve.load.target.RecordSink;
import io.varve.load.target.Target;
import io.varve.load.target.TargetException;
import io.varve.load.target.TargetStatus;
import io.varve.schemas.ReadingEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** The way of a laboratory's rows into a target: sent in batches, then waited for. */
final class RowFeed implements AutoCloseable {
  private static final long POLL_NANOS = 20_000_000;
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final ReadingEncoder encoder = new ReadingEncoder();
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private final Delivery delivery =
      new Delivery() {
        @Override
        public void acknowledged() {}

        @Override
        public void failed(Exception cause) {
          failure.compareAndSet(null, cause);
        }
      };
  private final Queries status;
  private final RecordSink sink;
  private final long before;
  private long sent;

  /**
   * @throws TargetException if the target can't be fed
   */
  RowFeed(Target target) throws TargetException, QueryException {
    this.sink = target.openSink();
    this.status = target.openQueries();
    this.before = stored();
  }

  /** Adds a row to the batch that waits to be sent. */
  void add(String sensor, long timestampMicros, long sequence, double value) {
    encoder.add(sensor, timestampMicros, value, sequence);
  }

  /** Rows that wait to be sent. */
  int waiting() {
    return encoder.memberCount();
  }

  /**
   * Sends what waits as one record.
   *
   * @param key sensor or gateway; records of one key are applied in order
   */
  void send(String key) {
    sent += waiting();
    sink.send(key.getBytes(StandardCharsets.UTF_8), encoder.takeBatch(), delivery);
  }

  /** Rows sent so far. */
  long sent() {
    return sent;
  }

  /**
   * Waits until all that was sent is stored.
   *
   * @throws TargetException if a record was not taken, or none of them is stored for a minute
   */
  void awaitStored() throws TargetException, QueryException {
    sink.flush();
    if (failure.get() != null) {
      throw new TargetException(
          TargetException.Kind.UNREACHABLE, "a record was not taken: " + failure.get());
    }
    long stored = stored() - before;
    long since = System.nanoTime();
    while (stored < sent) {
      LockSupport.parkNanos(POLL_NANOS);
      long now = stored() - before;
      if (now > stored) {
        stored = now;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > PATIENCE_NANOS) {
        throw new TargetException(
            TargetException.Kind.UNREACHABLE,
            "the node stores no more of what was sent: sent=" + sent + " stored=" + stored);
      }
    }
  }

  private long stored() throws QueryException {
    TargetStatus counted =
        status.status().orElseThrow(() -> new QueryException(false, "the node has no status"));
    return counted.stored() + counted.overwritten() + counted.duplicates();
  }

  @Override
  public void close() {
    sink.close();
    status.close();
  }
}
