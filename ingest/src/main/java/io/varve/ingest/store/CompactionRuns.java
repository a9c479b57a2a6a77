package io.varve.ingest.store;

import io.varve.storage.Compaction;
import io.varve.storage.CorruptBlockException;
import io.varve.storage.StoreUnavailableException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs that bring every day of this node's stores into tight form: one store after another on a
 * thread of their own, and one run at a time. Thread-safe.
 */
final class CompactionRuns {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionRuns.class);

  /** A store as a run sees it. A seam for tests; thread-safe. */
  interface Part {
    int topicPartition();

    /** Whether the store serves; one that restores is about to change all its days. */
    boolean serving();

    /** Days that the store has. */
    int days();

    /** Rewrites every day; returns their number, or fewer when the store closes meanwhile. */
    int compact() throws IOException;

    Compaction compaction();
  }

  private final Supplier<List<Part>> parts;
  private Optional<Run> current = Optional.empty();
  private Compaction last = Compaction.NONE;
  private Optional<String> failure = Optional.empty();
  private boolean stopped;

  /**
   * @param parts the stores that are open now, by topic partition
   */
  CompactionRuns(Supplier<List<Part>> parts) {
    this.parts = parts;
  }

  /**
   * Starts a run over the stores that serve now, or joins the one under way.
   *
   * @return the days rewritten; fails with an {@link IOException} when a disk has no room, and with
   *     a {@link StoreUnavailableException} when a store stopped to serve or {@link #stop} was
   *     called
   */
  synchronized Future<Integer> join() {
    if (stopped) {
      return CompletableFuture.failedFuture(stopping());
    }
    if (current.isEmpty()) {
      Run run = new Run(parts.get().stream().filter(Part::serving).toList());
      current = Optional.of(run);
      failure = Optional.empty();
      Thread thread = new Thread(run, "varve-compact");
      thread.setDaemon(true);
      thread.start();
    }
    return current.get().end.copy();
  }

  private static StoreUnavailableException stopping() {
    return new StoreUnavailableException("The node is stopping.");
  }

  /** Progress of the current run, else of the last one. */
  Compaction progress() {
    boolean rewriting = parts.get().stream().anyMatch(part -> part.compaction().running());
    Optional<Run> run;
    Compaction ended;
    synchronized (this) {
      run = current;
      ended = last;
    }
    Compaction days = run.map(Run::progress).orElse(ended);
    return new Compaction(run.isPresent() || rewriting, days.daysDone(), days.days());
  }

  /** Why the last run did not reach its end; empty if it did or none was asked for. */
  synchronized Optional<String> failure() {
    return failure;
  }

  /**
   * Ends the waiting for a run, and lets none begin. The day being rewritten goes on until its
   * store is closed.
   */
  void stop() {
    Optional<Run> run;
    synchronized (this) {
      stopped = true;
      run = current;
    }
    run.ifPresent(running -> running.end.completeExceptionally(stopping()));
  }

  private synchronized boolean stopped() {
    return stopped;
  }

  private synchronized void ended(Run run, Optional<String> why) {
    last = run.progress();
    failure = why;
    current = Optional.empty();
  }

  /** One run. */
  private final class Run implements Runnable {
    private final List<Part> serving;
    private final int[] daysDone;
    private final CompletableFuture<Integer> end = new CompletableFuture<>();

    /** Stores that are done; also publishes their {@link #daysDone}. */
    private volatile int storesDone;

    Run(List<Part> serving) {
      this.serving = serving;
      this.daysDone = new int[serving.size()];
    }

    @Override
    public void run() {
      long start = System.nanoTime();
      LOG.info("Compaction begins: stores={}", serving.size());
      try {
        int days = compact();
        ended(this, Optional.empty());
        LOG.info(
            "Compaction done: days={} millis={}", days, (System.nanoTime() - start) / 1_000_000);
        end.complete(days);
      } catch (StoreUnavailableException e) {
        LOG.info("Compaction ended early: cause={}", e.getMessage());
        fail(e, String.valueOf(e.getMessage()));
      } catch (IOException e) {
        LOG.warn("Compaction ended early", e);
        fail(e, String.valueOf(e.getMessage()));
      } catch (RuntimeException | Error e) { // the edge of this thread: who waits must hear of it
        LOG.error("Compaction failed", e);
        fail(e, "This is a fault of the server; its log says more.");
      }
    }

    private void fail(Throwable cause, String why) {
      ended(this, Optional.of(why));
      end.completeExceptionally(cause);
    }

    private int compact() throws IOException {
      int sum = 0;
      for (int i = 0; i < serving.size(); i++) {
        daysDone[i] = compact(serving.get(i));
        sum += daysDone[i];
        storesDone = i + 1;
      }
      return sum;
    }

    private int compact(Part store) throws IOException {
      requireServing(store);
      int days;
      try {
        days = store.compact();
      } catch (CorruptBlockException e) {
        throw new StoreUnavailableException(
            "Topic partition "
                + store.topicPartition()
                + " has a damaged day, which is made again from the log.");
      } catch (IOException e) {
        throw new IOException(
            "The days of topic partition "
                + store.topicPartition()
                + " could not all be rewritten ("
                + e.getMessage()
                + ").",
            e);
      } catch (IllegalStateException e) {
        if (store.serving() && !stopped()) {
          throw e;
        }
        throw new StoreUnavailableException(left(store));
      }
      requireServing(store); // else it may have returned before its last day
      return days;
    }

    private void requireServing(Part store) {
      if (stopped() || !store.serving()) {
        throw new StoreUnavailableException(left(store));
      }
    }

    private static String left(Part store) {
      return "The store of topic partition "
          + store.topicPartition()
          + " closed, moved or went back to the log before all its days were rewritten.";
    }

    /** Days done and days in all: of stores to come, those that they have now. */
    Compaction progress() {
      int done = 0;
      int days = 0;
      int at = storesDone;
      for (int i = 0; i < serving.size(); i++) {
        if (i < at) {
          done += daysDone[i];
          days += daysDone[i];
        } else {
          Compaction store = i == at ? serving.get(i).compaction() : Compaction.NONE;
          done += store.daysDone();
          days += store.days() == 0 ? serving.get(i).days() : store.days();
        }
      }
      return new Compaction(true, done, days);
    }
  }
}
