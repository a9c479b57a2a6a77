package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk that fails once, at the nth step that is made on it: for n = 1, 2, 3 and so on, until a
 * history ends without the failure. Nothing may be lost, nothing wrong, and nothing may hang.
 */
class FailingDiskSimulation {
  private static final long SEED = Long.getLong("varve.seed", 1);
  private static final int EVERY = Boolean.getBoolean("varve.full") ? 1 : 23;

  /** Steps that are no calls to the disk, which so can't fail. */
  private static final Set<DiskStep> SURE = EnumSet.of(DiskStep.APPLY_RECORD, DiskStep.MARK_WHOLE);

  /** Fails one step and counts all. */
  private static final class Failing implements DiskStep.Watch {
    private final long nth;
    private final AtomicLong steps = new AtomicLong();
    private volatile String failed = "";

    Failing(long nth) {
      this.nth = nth;
    }

    @Override
    public void before(DiskStep step) throws IOException {
      if (!SURE.contains(step) && steps.incrementAndGet() == nth) {
        failed = "step " + nth + ", " + step;
        throw new IOException("the disk fails in a test: " + failed);
      }
    }

    @Override
    public void after(DiskStep step) {}
  }

  @AfterEach
  void tellNobody() {
    DiskStep.tellNobody();
  }

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void anyStepMayFailOnce(@TempDir Path folder) {
    boolean clean = false;
    int failures = 0;
    for (long nth = 1; !clean; nth += EVERY) {
      Failing disk = new Failing(nth);
      DiskStep.tell(disk);
      run(folder.resolve("" + nth), disk);
      clean = disk.failed.isEmpty();
      failures += clean ? 0 : 1;
      DiskStep.tellNobody();
    }
    assertThat(failures).isGreaterThan(5);
  }

  private static void run(Path folder, Failing disk) {
    Script script = new Script(SEED);
    DrivenStore[] driven = new DrivenStore[1];
    Script.again(() -> driven[0] = new DrivenStore(folder, script.log()));
    try (DrivenStore store = driven[0]) {
      script.drive(store, offset -> {});
      assertSame(store, script);
      Script.again(store::reopen);
      assertSame(store, script);
      assertThat(store.store().totals().damagedSegments()).isZero();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + SEED + ", " + disk.failed, e);
    }
  }

  /** A reader that meets the failure is told so, and may ask again. */
  private static void assertSame(DrivenStore store, Script script) {
    try {
      Sameness.assertSame(store.reader(), script.model());
    } catch (StoreUnavailableException e) {
      Sameness.assertSame(store.reader(), script.model());
    }
  }
}
