package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.inspect.Finding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A kill right before and right after each step that the engine makes on disk. The kernel keeps
 * what a killed process wrote, so a copy of the folder taken there is what the next start finds.
 */
class CrashPointSimulation {
  private static final long SEED = Long.getLong("varve.seed", 1);
  private static final boolean FULL = Boolean.getBoolean("varve.full");

  /** What a kill at a point left. */
  private record Left(String point, Path folder, long records) {}

  /** Takes copies at the first few times that each point is passed. */
  private static final class Copying implements DiskStep.Watch {
    private final Path store;
    private final Path copies;
    private final Map<DiskStep, int[]> passed = new EnumMap<>(DiskStep.class);
    private final List<Left> left = new ArrayList<>();

    /** Held by the writer but for the steps it makes: other threads copy only what stands still. */
    private final ReentrantLock writing = new ReentrantLock();

    private volatile long records;

    Copying(Path store, Path copies) {
      this.store = store;
      this.copies = copies;
    }

    @Override
    public void before(DiskStep step) {
      copy(step, 0);
    }

    @Override
    public void after(DiskStep step) {
      copy(step, 1);
    }

    private void copy(DiskStep step, int side) {
      if (!writing.tryLock()) {
        return; // the writer is in the middle of a record: a copy now would be of no one moment
      }
      try {
        synchronized (this) {
          int[] times = passed.computeIfAbsent(step, s -> new int[2]);
          int time = times[side]++;
          if (Integer.bitCount(time) > (FULL ? 2 : 1)) {
            return; // the first ones, and later ones ever farther apart
          }
          String point = (side == 0 ? "before " : "after ") + step + " " + time;
          Path copy = copies.resolve(point.replace(' ', '-'));
          DrivenStore.copyFolder(store, copy);
          left.add(new Left(point, copy, records));
        }
      } catch (UncheckedIOException e) {
        // A background thread made or deleted a file meanwhile.
      } finally {
        writing.unlock();
      }
    }
  }

  @AfterEach
  void tellNobody() {
    DiskStep.tellNobody();
  }

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void killAtAnyPointLosesNothing(@TempDir Path folder) throws IOException {
    Script script = new Script(SEED);
    Path store = folder.resolve("store");
    Copying watch = new Copying(store, folder.resolve("copies"));
    DiskStep.tell(watch);
    try (DrivenStore driven = new DrivenStore(store, script.log())) {
      watch.writing.lock();
      try {
        script.drive(driven, offset -> watch.records = offset + 1);
      } finally {
        watch.writing.unlock();
      }
    }
    DiskStep.tellNobody();
    assertThat(watch.passed.keySet()).isEqualTo(EnumSet.allOf(DiskStep.class));
    for (Left each : watch.left) {
      Log log = new Log();
      for (long offset = 0; offset < each.records; offset++) {
        log.append(script.log().at(offset));
      }
      assertThat(damage(each.folder)).as("inspected, killed %s", each.point).isEmpty();
      try (DrivenStore opened = new DrivenStore(each.folder, log)) {
        Sameness.assertSame(opened.reader(), script.modelOf(each.records));
        assertThat(opened.store().totals().damagedSegments()).isZero();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("killed " + each.point + ", seed " + SEED, e);
      }
    }
    assertThat(watch.left.size()).isGreaterThan(2 * DiskStep.values().length);
  }

  /** What an inspection of the stopped folder calls damage. */
  private static List<Finding> damage(Path store) throws IOException {
    Files.createDirectories(store.resolveSibling("inspected"));
    StoreInspector inspector =
        new StoreInspector(store, DrivenStore.TOPIC_PARTITION, store.resolveSibling("inspected"));
    List<Finding> findings = new ArrayList<>(inspector.findings());
    for (int day : inspector.days()) {
      try (InspectedDay looked = inspector.open(day)) {
        findings.addAll(looked.report().findings());
      }
    }
    findings.removeIf(each -> !each.damage());
    return findings;
  }
}
