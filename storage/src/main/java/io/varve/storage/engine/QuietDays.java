package io.varve.storage.engine;

import io.varve.storage.Compaction;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has days rewritten into tight form: each once, when few of its rows arrive any more, and all of
 * them when asked to.
 */
final class QuietDays {
  private static final Logger LOG = LoggerFactory.getLogger(QuietDays.class);

  /** One day is rewritten in the background at a time, of all stores of the process. */
  private static final Semaphore BACKGROUND = new Semaphore(1);

  private static final int LOOKS_A_SPAN = 30;
  private static final long MIN_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Contents contents;
  private final DayRewriter rewriter;
  private final IdleDays idle;
  private final Background thread;
  private volatile Compaction compaction = Compaction.NONE;

  /**
   * @param thread apart from others, since rewriting a day takes long
   */
  QuietDays(Contents contents, DayRewriter rewriter, IdleDays idle, Background thread) {
    this.contents = contents;
    this.rewriter = rewriter;
    this.idle = idle;
    this.thread = thread;
  }

  /**
   * Rewrites every day that is not in tight form.
   *
   * @return days rewritten
   */
  int rewriteAll() throws IOException {
    synchronized (rewriter) {
      List<Segment> days = new ArrayList<>(contents.segments.values());
      int done = 0;
      compaction = new Compaction(true, 0, days.size());
      try {
        for (int i = 0; i < days.size(); i++) {
          done += rewriter.rewrite(days.get(i), DayRewriter.UNTHROTTLED) ? 1 : 0;
          compaction = new Compaction(true, i + 1, days.size());
          idle.keepRoom();
        }
        return done;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return done;
      } finally {
        compaction = new Compaction(false, compaction.daysDone(), days.size());
      }
    }
  }

  /** Looks for days that have become quiet, now and then, until the end. */
  void watch() {
    long span = contents.settings.closeAfter().toNanos();
    thread.later(
        Math.max(MIN_LOOK_NANOS, span / LOOKS_A_SPAN),
        () -> {
          try {
            rewriteQuiet(span);
          } catch (IOException | RuntimeException e) {
            LOG.error(
                "can't rewrite a day, trying again later: topic_partition={} folder={} cause={}",
                contents.topicPartition,
                contents.files.folder,
                e.toString());
          }
          watch();
        });
  }

  private void rewriteQuiet(long span) throws IOException {
    for (Segment segment : contents.segments.values()) {
      if (!isQuiet(segment, span) || !BACKGROUND.tryAcquire()) {
        continue;
      }
      try {
        beginSpan(segment);
        if (rewriter.rewrite(segment, rewriter.throttled)) {
          LOG.info(
              "day rewritten: topic_partition={} day={} rows={}",
              contents.topicPartition,
              LocalDate.ofEpochDay(segment.day),
              segment.rows());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } finally {
        BACKGROUND.release();
      }
      idle.keepRoom();
    }
  }

  /** Whether a span has passed in which less than 1 % of a day's rows came, not yet rewritten. */
  private static boolean isQuiet(Segment segment, long span) {
    if ((segment.arrived() - segment.arrivedWhenQuiet) * 100 >= Math.max(1, segment.rows())) {
      beginSpan(segment);
    }
    return System.nanoTime() - segment.quietSinceNanos >= span && !segment.isTight();
  }

  private static void beginSpan(Segment segment) {
    segment.quietSinceNanos = System.nanoTime();
    segment.arrivedWhenQuiet = segment.arrived();
  }

  Compaction compaction() {
    return compaction;
  }

  /** Ends the rewriting of a day at its next batch, and waits for that. */
  void stop() {
    thread.stop();
    rewriter.stop();
    synchronized (rewriter) {
      LOG.debug("no day is being rewritten: topic_partition={}", contents.topicPartition);
    }
  }

  /** Waits, for a bounded time, for what runs; to be called after {@link #stop}. */
  void awaitEnd() throws InterruptedException {
    thread.awaitEnd();
  }
}
