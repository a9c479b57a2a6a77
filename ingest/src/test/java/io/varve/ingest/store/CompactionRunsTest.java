package io.varve.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.storage.Compaction;
import io.varve.storage.CorruptBlockException;
import io.varve.storage.StoreUnavailableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CompactionRunsTest {
  private final List<FakePart> stores = new ArrayList<>();
  private final CompactionRuns runs = new CompactionRuns(() -> List.copyOf(stores));

  /** A store that waits in the middle of its days until it is let go on. */
  private final class FakePart implements CompactionRuns.Part {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);
    final AtomicInteger compactions = new AtomicInteger();
    volatile boolean serving = true;
    volatile Compaction compaction = Compaction.NONE;
    volatile Optional<Exception> failure = Optional.empty();
    private final int topicPartition = stores.size();
    private final int days;

    FakePart(int days) {
      this.days = days;
      stores.add(this);
    }

    FakePart free() {
      goOn.countDown();
      return this;
    }

    FakePart failing(Exception e) {
      failure = Optional.of(e);
      return free();
    }

    @Override
    public int topicPartition() {
      return topicPartition;
    }

    @Override
    public boolean serving() {
      return serving;
    }

    @Override
    public int days() {
      return days;
    }

    @Override
    public int compact() throws IOException {
      compactions.incrementAndGet();
      compaction = new Compaction(true, 1, days);
      entered.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      if (failure.isPresent() && failure.get() instanceof IOException e) {
        throw e;
      }
      if (failure.isPresent()) {
        throw (RuntimeException) failure.get();
      }
      compaction = new Compaction(false, days, days);
      return days;
    }

    @Override
    public Compaction compaction() {
      return compaction;
    }
  }

  private static int get(Future<Integer> run) throws Exception {
    return run.get(20, TimeUnit.SECONDS);
  }

  private static org.assertj.core.api.AbstractThrowableAssert<?, ?> assertFails(
      Future<Integer> run, Class<? extends Exception> type) {
    return assertThatThrownBy(() -> get(run))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(type);
  }

  @Test
  void nothingAskedForIsNoProgress() {
    assertThat(runs.progress()).isEqualTo(Compaction.NONE);
  }

  @Test
  void daysOfAllStoresAreSummed() throws Exception {
    new FakePart(3).free();
    new FakePart(4).free();
    assertThat(get(runs.join())).isEqualTo(7);
    assertThat(runs.progress()).isEqualTo(new Compaction(false, 7, 7));
    assertThat(runs.failure()).isEmpty();
  }

  @Test
  void storesComeOneAfterAnotherAndProgressCoversAllOfThem() throws Exception {
    new FakePart(3).free();
    FakePart second = new FakePart(4);
    FakePart third = new FakePart(5).free();
    Future<Integer> run = runs.join();
    second.entered.await();
    assertThat(third.compactions).hasValue(0);
    assertThat(runs.progress()).isEqualTo(new Compaction(true, 4, 12));
    second.free();
    assertThat(get(run)).isEqualTo(12);
  }

  @Test
  void secondRequestJoinsTheRunAndOneAfterItStartsAnother() throws Exception {
    FakePart store = new FakePart(3);
    Future<Integer> first = runs.join();
    store.entered.await();
    Future<Integer> second = runs.join();
    store.free();
    assertThat(get(first)).isEqualTo(3);
    assertThat(get(second)).isEqualTo(3);
    assertThat(store.compactions).hasValue(1);
    assertThat(get(runs.join())).isEqualTo(3);
    assertThat(store.compactions).hasValue(2);
  }

  @Test
  void fullDiskEndsTheRunAndIsTold() throws Exception {
    new FakePart(3).free();
    FakePart full = new FakePart(4).failing(new IOException("No space left on device"));
    FakePart next = new FakePart(5).free();
    assertFails(runs.join(), IOException.class)
        .hasMessageContaining("topic partition 1")
        .hasMessageContaining("No space left on device");
    assertThat(next.compactions).hasValue(0);
    assertThat(runs.failure()).hasValueSatisfying(why -> assertThat(why).contains("No space"));
    full.failure = Optional.empty();
    assertThat(get(runs.join())).isEqualTo(12);
    assertThat(runs.failure()).isEmpty();
  }

  @Test
  void storesThatDoNotServeAreLeftAlone() throws Exception {
    FakePart standby = new FakePart(3);
    standby.serving = false;
    new FakePart(4).free();
    assertThat(get(runs.join())).isEqualTo(4);
    assertThat(standby.compactions).hasValue(0);
  }

  @Test
  void storeThatClosesMeanwhileIsNoSuccess() throws Exception {
    FakePart store = new FakePart(3);
    Future<Integer> run = runs.join();
    store.entered.await();
    store.serving = false;
    store.free();
    assertFails(run, StoreUnavailableException.class).hasMessageContaining("topic partition 0");
    store.serving = true;
    Future<Integer> again = runs.join();
    assertThat(get(again)).isEqualTo(3);
  }

  @Test
  void closedStoreIsUnavailableAndNoFaultOfOurs() throws Exception {
    FakePart store = new FakePart(3);
    store.failure = Optional.of(new IllegalStateException("closed"));
    Future<Integer> run = runs.join();
    store.entered.await();
    store.serving = false;
    store.free();
    assertFails(run, StoreUnavailableException.class);
  }

  @Test
  void damageIsRepairedAndNoFaultOfOurs() throws Exception {
    new FakePart(3).failing(new CorruptBlockException("row fails"));
    assertFails(runs.join(), StoreUnavailableException.class)
        .hasMessageContaining("made again from the log");
  }

  @Test
  void faultIsToldToThoseWhoWaitAndTheNextRunIsAsBefore() throws Exception {
    FakePart store = new FakePart(3).failing(new IllegalArgumentException("a bug"));
    assertFails(runs.join(), IllegalArgumentException.class);
    assertThat(runs.failure()).isPresent();
    store.failure = Optional.empty();
    assertThat(get(runs.join())).isEqualTo(3);
  }

  @Test
  void stopEndsTheWaitingAtOnceAndReachesNoFurtherStore() throws Exception {
    FakePart store = new FakePart(3);
    FakePart next = new FakePart(4).free();
    Future<Integer> run = runs.join();
    store.entered.await();
    runs.stop();
    assertFails(run, StoreUnavailableException.class).hasMessageContaining("stopping");
    assertFails(runs.join(), StoreUnavailableException.class);
    store.free();
    org.awaitility.Awaitility.await().until(() -> runs.failure().isPresent());
    assertThat(next.compactions).hasValue(0);
  }
}
