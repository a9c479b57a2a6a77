package io.varve.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
  private final Path parent;

  DataFolderTest(@TempDir Path parent) {
    this.parent = parent;
  }

  @Test
  void newFolderGetsEightPartitionsAndAName() throws DataFolderException {
    try (DataFolder folder = open(OptionalInt.empty())) {
      assertThat(folder.partitions()).isEqualTo(8);
      assertThat(folder.instanceId()).matches("node-[0-9a-f]{12}");
      assertThat(folder.store()).isEqualTo(folder.folder().resolve("store"));
      assertThat(folder.broker()).isEqualTo(folder.folder().resolve("broker"));
    }
  }

  @Test
  void whatIsFixedForLifeIsKept() throws DataFolderException {
    String id;
    try (DataFolder folder = open(OptionalInt.of(3))) {
      id = folder.instanceId();
    }
    try (DataFolder folder = open(OptionalInt.empty())) {
      assertThat(folder.instanceId()).isEqualTo(id);
      assertThat(folder.partitions()).isEqualTo(3);
    }
  }

  @Test
  void otherPartitionsAreRefusedWithBothValues() throws DataFolderException {
    open(OptionalInt.of(3)).close();
    assertThatThrownBy(() -> open(OptionalInt.of(4)))
        .isInstanceOf(DataFolderException.class)
        .hasMessageContaining("partitions=3")
        .hasMessageContaining("partitions=4");
    open(OptionalInt.of(3)).close();
  }

  @Test
  void otherNameIsRefusedWithBothValues() throws DataFolderException {
    open(OptionalInt.empty()).close();
    assertThatThrownBy(() -> DataFolder.open(parent.resolve("data"), "other", OptionalInt.empty()))
        .hasMessageContaining("--name varve")
        .hasMessageContaining("--name other");
  }

  @Test
  void folderInUseIsRefusedByNameAndHolder() throws DataFolderException {
    try (DataFolder held = open(OptionalInt.empty())) {
      assertThatThrownBy(() -> open(OptionalInt.empty()))
          .isInstanceOf(DataFolderException.class)
          .hasMessageContaining("data folder " + held.folder() + " is in use by pid ")
          .hasMessageContaining("" + ProcessHandle.current().pid())
          .hasMessageContaining("started ")
          .extracting(e -> ((DataFolderException) e).whatToDo())
          .asString()
          .contains("--data");
    }
    open(OptionalInt.empty()).close();
  }

  @Test
  void damagedRecordIsNotGuessedAt() throws DataFolderException, IOException {
    open(OptionalInt.empty()).close();
    Files.writeString(parent.resolve("data/node.properties"), "format=1\npartitions=eight\n");
    assertThatThrownBy(() -> open(OptionalInt.empty())).hasMessageContaining("node.properties");
  }

  @Test
  void fileInPlaceOfTheFolderIsToldPlainly() throws IOException {
    Files.writeString(parent.resolve("data"), "x");
    assertThatThrownBy(() -> open(OptionalInt.empty())).hasMessageContaining("cannot be used");
  }

  private DataFolder open(OptionalInt partitions) throws DataFolderException {
    return DataFolder.open(parent.resolve("data"), "varve", partitions);
  }
}
