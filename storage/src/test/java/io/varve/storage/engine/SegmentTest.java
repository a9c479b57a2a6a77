package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class SegmentTest {
  private static final int DAY = 19_875;

  @Test
  void fileMadeAheadCountsAsOpenUntilItsDayIsClosed(@TempDir Path folder) throws IOException {
    Contents contents =
        new Contents(3, DrivenStore.settings(), new SegmentFiles(folder), map -> {});
    SegmentMap map = contents.createSegment(DAY, 0);
    map.growAhead();
    assertThat(contents.files.openFiles()).isEqualTo(2);
    Segment segment = Objects.requireNonNull(contents.segment(DAY));
    segment.close(segment.detach());
    assertThat(contents.files.openFiles()).isZero();
  }

  /** While a reader holds a mapping its files are locked: opening them then looked like damage. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void dayThatIsStillBeingClosedIsOpenedAfterwards(@TempDir Path folder) throws Exception {
    Contents contents =
        new Contents(3, DrivenStore.settings(), new SegmentFiles(folder), map -> {});
    SegmentMap map = contents.createSegment(DAY, 0);
    Segment segment = Objects.requireNonNull(contents.segment(DAY));
    assertThat(map.acquire()).isTrue();
    List<SegmentMap> detached = segment.detach();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> segment.close(detached));
    FutureTask<Boolean> opening = new FutureTask<>(() -> segment.open() != null);
    Thread opener = new Thread(opening, "opener");
    opener.start();
    while (opener.getState() != Thread.State.WAITING && !opening.isDone()) {
      Thread.onSpinWait();
    }
    assertThat(opening.isDone()).as("opened beside the old mapping").isFalse();
    map.release();
    assertThat(opening.get()).isTrue();
    closed.get();
    segment.close(segment.detach());
    assertThat(contents.files.openFiles()).isZero();
  }
}
