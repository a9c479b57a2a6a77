package io.varve.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderSizesTest {
  @Test
  void filesAreToldApartByWhoseTheyAre(@TempDir Path store) throws IOException {
    put(store.resolve("varve/0_3/rows/offsets"), 400);
    put(store.resolve("varve/0_3/rows/2024-06-01.0.0.7.blocks"), 30_000);
    put(store.resolve("varve/0_3/rows/damaged/2024-06-01.0.0.7.blocks"), 7_000);
    put(store.resolve("varve/1_0/rocksdb/ledger/000004.log"), 60);
    put(store.resolve("varve/1_0/.checkpoint"), 5);
    put(store.resolve("varve/.lock"), 1);
    assertThat(FolderSizes.of(store)).isEqualTo(new FolderSizes(400, 65, 7_000));
  }

  @Test
  void aFolderThatIsNotThereYetHoldsNothing(@TempDir Path folder) throws IOException {
    assertThat(FolderSizes.of(folder.resolve("store"))).isEqualTo(new FolderSizes(0, 0, 0));
  }

  private static void put(Path file, int bytes) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[bytes]);
  }
}
