package io.varve.ingest.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.UtcDay;
import io.varve.storage.engine.PartitionStore;
import io.varve.storage.engine.StoreSettings;
import io.varve.storage.rows.RowPack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several stores under one cap: a day that has to leave one of them leaves all. */
class CappedStoresTest {
  private static final int FIRST = 20_000;
  private static final int DAYS = 3;
  private static final int STORES = 2;
  private static final long NEWEST = UtcDay.startMicros(FIRST + DAYS - 1);

  private final Path folder;
  private final List<PartitionStore> stores = new ArrayList<>();

  CappedStoresTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    for (int p = 0; p < STORES; p++) {
      PartitionStore store = open(p);
      for (int day = FIRST; day < FIRST + DAYS; day++) {
        store.apply(day - FIRST, row(day));
      }
      stores.add(store);
    }
  }

  private PartitionStore open(int p) throws IOException {
    PartitionStore store =
        PartitionStore.open(folder.resolve("" + p), p, StoreSettings.defaults(STORES));
    store.logBounds(0, DAYS);
    store.restoreFinished();
    return store;
  }

  private static byte[] row(int day) {
    RowPack.Writer writer = new RowPack.Writer();
    byte[] id = "pump".getBytes(UTF_8);
    writer.add(id, 0, id.length, 0, UtcDay.startMicros(day), 0, 0);
    return writer.toBytes();
  }

  @AfterEach
  void close() {
    stores.forEach(PartitionStore::close);
  }

  private CappedStores capped(long maxBytes) {
    return new CappedStores(OptionalLong.of(maxBytes), () -> stores);
  }

  private long bytes() {
    return stores.stream().mapToLong(store -> store.disk().bytes()).sum();
  }

  @Test
  void withoutACapNothingLeaves() {
    CappedStores none = new CappedStores(OptionalLong.empty(), () -> stores);
    assertThat(none.isSet()).isFalse();
    assertThat(none.floor(NEWEST)).isEmpty();
  }

  @Test
  void whatFitsStays() {
    CappedStores capped = capped(bytes());
    assertThat(capped.floor(NEWEST)).isEmpty();
    assertThat(capped.full()).isFalse();
  }

  @Test
  void oldestDayLeavesEachStoreAsItsOwnerComesBy() {
    CappedStores capped = capped(bytes() - 1);
    OptionalInt floor = capped.floor(NEWEST);
    assertThat(floor).hasValue(FIRST + 1);
    stores.get(0).dropBefore(floor.getAsInt());
    // The other store still holds the day, which is leaving: no further one has to.
    assertThat(capped.floor(NEWEST)).isEqualTo(floor);
    stores.get(1).dropBefore(floor.getAsInt());
    assertThat(capped.floor(NEWEST)).isEqualTo(floor);
    assertThat(stores).allMatch(store -> store.disk().bytesByDay().firstKey() == FIRST + 1);
  }

  @Test
  void whatLeftOneStoreBeforeARestartLeavesTheOthersAfterIt() throws IOException {
    stores.get(0).dropBefore(FIRST + 1);
    for (int p = 0; p < STORES; p++) {
      stores.get(p).close();
      stores.set(p, open(p));
    }
    assertThat(capped(Long.MAX_VALUE).floor(NEWEST)).hasValue(FIRST + 1);
  }

  @Test
  void liveDayStaysAndIsToldOf() {
    CappedStores capped = capped(1);
    assertThat(capped.floor(NEWEST)).hasValue(FIRST + DAYS - 1);
    assertThat(capped.full()).isTrue();
    // Where the clock says that the newest day has not begun, the day before is the live one.
    assertThat(capped(1).floor(UtcDay.startMicros(FIRST + 1))).hasValue(FIRST + 1);
  }
}
