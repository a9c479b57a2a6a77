package io.varve.server.advise;

import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The way of rows from a reader to a {@link KeyReplay} on a thread of its own, so that reading and
 * replaying share two cores. A reader that is ahead waits; memory is bounded.
 *
 * <p>Fed by one thread, then asked once for the {@link #figures}.
 */
public final class ReplayFeed implements AutoCloseable {
  private static final int BATCH_ROWS = 4096;
  private static final int BATCHES = 8;

  /** Rows on their way. */
  private static final class Batch {
    byte[] ids = new byte[BATCH_ROWS * 32];
    final int[] idEnds = new int[BATCH_ROWS];
    final long[] timestamps = new long[BATCH_ROWS];
    final long[] bytes = new long[BATCH_ROWS];
    int count;

    void add(byte[] id, int offset, int length, long timestamp, long rowBytes) {
      int start = count == 0 ? 0 : idEnds[count - 1];
      if (start + length > ids.length) {
        ids = Arrays.copyOf(ids, Math.max(ids.length * 2, start + length));
      }
      System.arraycopy(id, offset, ids, start, length);
      idEnds[count] = start + length;
      timestamps[count] = timestamp;
      bytes[count++] = rowBytes;
    }
  }

  private static final Batch END = new Batch();

  private final KeyReplay replay = new KeyReplay();
  private final BlockingQueue<Batch> full = new ArrayBlockingQueue<>(BATCHES + 1);
  private final BlockingQueue<Batch> free = new ArrayBlockingQueue<>(BATCHES);
  private final Thread thread = new Thread(this::replay, "varve-key-replay");
  private volatile boolean failed;
  private Throwable failure = new IllegalStateException();
  private Batch current = new Batch();
  private long rows;

  public ReplayFeed() {
    for (int i = 1; i < BATCHES; i++) {
      free.add(new Batch());
    }
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Takes one row.
   *
   * @param id bytes that hold the sensor id; borrowed for the call
   */
  public void row(byte[] id, int offset, int length, long timestampMicros, long bytes)
      throws InterruptedException {
    current.add(id, offset, length, timestampMicros, bytes);
    rows++;
    if (current.count == BATCH_ROWS) {
      send(current);
      current = take();
    }
  }

  /** Rows taken so far. */
  public long rows() {
    return rows;
  }

  private void send(Batch batch) throws InterruptedException {
    while (!full.offer(batch, 1, TimeUnit.SECONDS)) {
      checkAlive();
    }
  }

  private Batch take() throws InterruptedException {
    Batch batch = free.poll(1, TimeUnit.SECONDS);
    while (batch == null) {
      checkAlive();
      batch = free.poll(1, TimeUnit.SECONDS);
    }
    return batch;
  }

  private void checkAlive() {
    if (failed) {
      throw new IllegalStateException("the replay has failed", failure);
    }
  }

  private void replay() {
    try {
      for (Batch batch = full.take(); batch != END; batch = full.take()) {
        for (int i = 0; i < batch.count; i++) {
          int start = i == 0 ? 0 : batch.idEnds[i - 1];
          replay.row(
              batch.ids, start, batch.idEnds[i] - start, batch.timestamps[i], batch.bytes[i]);
        }
        batch.count = 0;
        free.put(batch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed before the end
    } catch (RuntimeException | Error e) {
      failure = e; // the edge of this thread: the reader learns of it with its next row
      failed = true;
    }
  }

  /**
   * Waits until all rows are replayed and returns what they show.
   *
   * @throws IllegalStateException if there were none
   */
  public ReplayFigures figures() throws InterruptedException {
    send(current);
    send(END);
    thread.join();
    checkAlive();
    return replay.figures();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
