package io.varve.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionCountTest {
  private final Path folder;

  PartitionCountTest(@TempDir Path folder) {
    this.folder = folder.resolve("store");
  }

  @Test
  void theFirstStartDecidesForLife() throws Exception {
    PartitionCount.check(folder, 8);
    PartitionCount.record(folder, 8);
    PartitionCount.check(folder, 8);
    PartitionCount.record(folder, 8);
    assertThatThrownBy(() -> PartitionCount.check(folder, 12))
        .isInstanceOf(IngestStartException.class)
        .hasMessageContaining("8")
        .hasMessageContaining("12")
        .hasMessageContaining("--partitions 8");
  }

  @Test
  void theRecordIsPlainText() throws Exception {
    PartitionCount.record(folder, 8);
    assertThat(Files.readString(folder.resolve("rows-partitions"))).isEqualTo("8\n");
  }
}
