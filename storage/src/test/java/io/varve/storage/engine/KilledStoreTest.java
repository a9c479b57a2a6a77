package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.Row;
import io.varve.storage.SensorId;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store as a kill between two records leaves it. */
class KilledStoreTest {
  private static final int RECORDS = 5_000;
  private static final long DAY_START = 1_717_200_000_000_000L;

  @Test
  void dayWhoseBlocksWereSplitIsTrusted(@TempDir Path folder) {
    SplittableRandom random = new SplittableRandom(1);
    SensorId sensor = SensorId.of("a");
    try (DrivenStore store = new DrivenStore(folder.resolve("used"), new Log())) {
      for (int i = 0; i < RECORDS; i++) {
        long timestamp = DAY_START + random.nextInt(80_000_000) * 1_000L;
        store.apply(sensor, 0, List.of(new Row(timestamp, i, i)));
      }
      store.killAndReopen(folder.resolve("left"));
      assertThat(store.store().totals().damagedSegments()).isZero();
      assertThat(store.store().totals().stored()).isEqualTo(RECORDS);
    }
  }
}
