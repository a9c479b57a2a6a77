package io.varve.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.load.fleet.Knob;
import io.varve.load.fleet.Profiles;
import io.varve.load.oracle.FaultKind;
import io.varve.load.target.Delivery;
import io.varve.load.target.MemoryTarget;
import io.varve.load.target.MemoryTarget.Wrong;
import io.varve.load.target.Queries;
import io.varve.load.target.QueryException;
import io.varve.load.target.RecordSink;
import io.varve.load.target.RowPage;
import io.varve.load.target.RowsQuery;
import io.varve.load.target.Target;
import io.varve.load.target.TargetException;
import io.varve.load.target.TargetStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadRunTest {
  private static LoadPlan plan(String profile, double queriesPerSecond) throws Exception {
    return new LoadPlan(
        Profiles.find(profile).with(Map.of(Knob.SENSORS, "100", Knob.RATE, "2k")),
        7,
        0,
        1_500_000_000,
        Long.MAX_VALUE,
        false,
        20_000_000,
        queriesPerSecond,
        true,
        Integer.MAX_VALUE,
        20_000_000_000L,
        60_000_000_000L,
        "test");
  }

  @Test
  void soundTargetIsMeasuredAndFoundClean(@TempDir Path folder) throws Exception {
    MemoryTarget target = new MemoryTarget(Wrong.NOTHING, 1);
    Path log = folder.resolve("run.hlog");
    LoadResult result =
        new LoadRun(plan("hot-one", 200), target, progress -> {}, Optional.of(log)).run();
    assertThat(result.verdict().orElseThrow().first()).isEmpty();
    assertThat(result.verdict().orElseThrow().clean()).isTrue();
    assertThat(result.verdict().orElseThrow().rows()).isEqualTo(result.readings());
    assertThat(result.readings()).isBetween(2_800L, 3_200L);
    assertThat(result.acknowledged().total().count()).isEqualTo(result.readings());
    assertThat(result.markersSeen()).isEqualTo(result.markers()).isEqualTo(75);
    assertThat(result.visible().total().count()).isEqualTo(75);
    assertThat(result.asked()).isPositive();
    assertThat(result.unanswered() + result.failedAnswers()).isZero();
    assertThat(Files.readString(log)).contains("Tag=produce-to-acknowledged,", "Tag=query-walk,");
  }

  @Test
  void wrongsAreFoundWhileTheLoadIsOn() throws Exception {
    MemoryTarget target = new MemoryTarget(Wrong.REORDERS, 50);
    LoadResult result =
        new LoadRun(plan("hot-one", 500), target, progress -> {}, Optional.empty()).run();
    assertThat(result.verdict().orElseThrow().counts()).containsKey(FaultKind.DISORDERED);
    assertThat(result.verdict().orElseThrow().answers()).isPositive();
  }

  @Test
  void runEndsAfterSoManyReadings() throws Exception {
    LoadPlan plan = plan("uniform", 0);
    LoadPlan few =
        new LoadPlan(
            plan.profile(),
            1,
            0,
            plan.runNanos(),
            500,
            true,
            0,
            0,
            true,
            10,
            1_000_000_000,
            60_000_000_000L,
            "test");
    LoadResult result =
        new LoadRun(few, new MemoryTarget(Wrong.NOTHING, 1), p -> {}, Optional.empty()).run();
    assertThat(result.readings()).isEqualTo(500);
    assertThat(result.verdict().orElseThrow().sensors()).isEqualTo(10);
    assertThat(result.verdict().orElseThrow().clean()).isTrue();
  }

  /** A target that is there at first, and then neither takes in nor answers, nor refuses. */
  private static final class Vanishing implements Target {
    private final MemoryTarget inner = new MemoryTarget(Wrong.NOTHING, 1);
    private final long keeps;
    private final CountDownLatch gone = new CountDownLatch(1);
    private final CountDownLatch givenUp = new CountDownLatch(1);
    private final Queue<Delivery> owed = new ConcurrentLinkedQueue<>();
    private long sent;

    Vanishing(long keeps) {
      this.keeps = keeps;
    }

    @Override
    public String describe() {
      return "vanishing";
    }

    @Override
    public RecordSink openSink() {
      return new RecordSink() {
        @Override
        public void send(byte[] key, byte[] record, Delivery delivery) {
          if (++sent <= keeps) {
            inner.send(key, record, delivery);
            return;
          }
          gone.countDown();
          owed.add(delivery);
          if (sent > keeps + 100) {
            flush(); // as a client whose memory is full
          }
        }

        @Override
        public long blockedNanos() {
          return 0;
        }

        @Override
        public void flush() {
          try {
            givenUp.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          for (Delivery each = owed.poll(); each != null; each = owed.poll()) {
            each.failed(new IllegalStateException("given up"));
          }
        }

        @Override
        public void giveUp() {
          givenUp.countDown();
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public Queries openQueries() {
      Queries answers = inner.openQueries();
      CountDownLatch closed = new CountDownLatch(1);
      return new Queries() {
        private void hangIfGone() throws QueryException {
          if (gone.getCount() == 0) {
            try {
              closed.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            throw new QueryException(true, "closed");
          }
        }

        @Override
        public void rows(RowsQuery query, Optional<String> token, RowPage page)
            throws QueryException {
          hangIfGone();
          answers.rows(query, token, page);
        }

        @Override
        public void buckets(String sensor, long from, long to, long step, RowPage page)
            throws QueryException {
          hangIfGone();
          answers.buckets(sensor, from, to, step, page);
        }

        @Override
        public void latest(List<String> sensors, RowPage page) throws QueryException {
          hangIfGone();
          answers.latest(sensors, page);
        }

        @Override
        public Optional<TargetStatus> status() throws QueryException {
          hangIfGone();
          return answers.status();
        }

        @Override
        public void close() {
          closed.countDown();
        }
      };
    }
  }

  private static LoadPlan impatient(long silenceNanos) throws Exception {
    LoadPlan plan = plan("uniform", 50);
    return new LoadPlan(
        plan.profile(),
        1,
        0,
        plan.runNanos(),
        Long.MAX_VALUE,
        false,
        20_000_000,
        50,
        true,
        Integer.MAX_VALUE,
        plan.settleNanos(),
        silenceNanos,
        "test");
  }

  @Test
  void targetThatGoesAwayForGoodIsGivenUpAndReported() throws Exception {
    LoadRun run =
        new LoadRun(impatient(300_000_000), new Vanishing(500), p -> {}, Optional.empty());
    LoadResult result = run.run();
    assertThat(result.verdict().orElseThrow().word()).isEqualTo("not verified");
    assertThat(result.verdict().orElseThrow().notVerified().orElseThrow())
        .contains(
            "not checked: the rows of 100 sensors, the latest row of 100 sensors; the target gave no answer for 300 ms");
    assertThat(result.givenUp()).contains("the target acknowledged nothing for 300 ms");
    assertThat(result.tally().acknowledgedReadings()).isPositive();
    assertThat(result.tally().failedReadings()).isPositive();
    assertThat(result.tally().inFlight()).isZero();
  }

  @Test
  void stoppedTwiceALoadOnATargetThatIsGoneEndsWithWhatIsKnown() throws Exception {
    Vanishing target = new Vanishing(500);
    LoadRun run = new LoadRun(impatient(600_000_000_000L), target, p -> {}, Optional.empty());
    Thread stopper =
        new Thread(
            () -> {
              try {
                target.gone.await();
              } catch (InterruptedException e) {
                return;
              }
              run.stop();
              run.stop();
            });
    stopper.start();
    LoadResult result = run.run();
    stopper.join();
    assertThat(result.verdict().orElseThrow().notVerified().orElseThrow())
        .isEqualTo(
            "not checked: the rows of 100 sensors, the latest row of 100 sensors; told to stop");
    assertThat(result.tally().acknowledgedReadings()).isPositive();
    assertThat(result.events()).extracting(Event::text).contains("told to stop sending");
  }

  @Test
  void runThatIsStoppedBeforeItBeginsSaysSo() throws Exception {
    LoadRun[] run = new LoadRun[1];
    Target stopping = new StoppingWhenOpened(() -> run[0].stop());
    run[0] = new LoadRun(impatient(600_000_000_000L), stopping, p -> {}, Optional.empty());
    assertThatThrownBy(() -> run[0].run())
        .isInstanceOfSatisfying(
            TargetException.class,
            e -> assertThat(e.kind()).isEqualTo(TargetException.Kind.STOPPED));
    assertThat(Thread.interrupted()).isFalse();
  }

  /** Is told to stop while the load opens it. */
  private record StoppingWhenOpened(Runnable stop) implements Target {
    @Override
    public String describe() {
      return "stopping";
    }

    @Override
    public RecordSink openSink() {
      stop.run();
      return new MemoryTarget(Wrong.NOTHING, 1);
    }

    @Override
    public Queries openQueries() {
      return new MemoryTarget(Wrong.NOTHING, 1).openQueries();
    }
  }
}
