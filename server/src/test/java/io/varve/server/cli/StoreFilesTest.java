package io.varve.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.server.node.DataFolder;
import io.varve.server.node.DataFolderException;
import io.varve.storage.engine.PartitionStore;
import io.varve.storage.engine.StoreSettings;
import io.varve.storage.rows.RowPack;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands that look at a stopped node's files. */
class StoreFilesTest {
  private static final long JUNE = 1_717_200_000_000_000L;
  private static final long MINUTE = 60_000_000L;
  private static final int ROWS = 300;

  private final Path data;
  private final Path temporary;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  StoreFilesTest(@TempDir Path folder) {
    data = folder.resolve("data");
    temporary = folder.resolve("temporary");
  }

  @BeforeEach
  void makeStores() throws IOException, DataFolderException {
    Files.createDirectories(temporary);
    DataFolder.open(data, "varve", OptionalInt.of(8)).close();
    makeStore(0, List.of("a", "b"), ROWS);
    makeStore(5, List.of("c"), ROWS);
  }

  /** Rows a minute apart over the first hours of two days. */
  private void makeStore(int topicPartition, List<String> sensors, int count) throws IOException {
    try (PartitionStore store =
        PartitionStore.open(rows(topicPartition), topicPartition, StoreSettings.defaults(8))) {
      store.logBounds(0, 0);
      store.restoreFinished();
      long offset = 0;
      for (String sensor : sensors) {
        for (int day = 0; day < 2; day++) {
          store.apply(offset++, record(sensor, JUNE + day * 24 * 60 * MINUTE, count));
        }
      }
    }
  }

  private static byte[] record(String sensor, long from, int count) {
    RowPack.Writer writer = new RowPack.Writer();
    byte[] id = sensor.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < count; i++) {
      long bits = Double.doubleToRawLongBits(i % 50 / 10.0);
      writer.add(id, 0, id.length, 0, from + i * MINUTE, 0, bits);
    }
    return writer.toBytes();
  }

  private Path rows(int topicPartition) {
    return data.resolve("store/varve/0_" + topicPartition + "/rows");
  }

  private int run(String... command) {
    String[] args = Arrays.copyOf(command, command.length + 4);
    args[command.length] = "--data";
    args[command.length + 1] = data.toString();
    args[command.length + 2] = "--temp";
    args[command.length + 3] = temporary.toString();
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    CommandLine line = VarveCommand.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(args);
  }

  private void flipAByte(int topicPartition) throws IOException {
    Path file;
    try (Stream<Path> files = Files.list(rows(topicPartition))) {
      file = files.filter(each -> each.toString().endsWith(".blocks")).sorted().toList().get(0);
    }
    byte[] bytes = Files.readAllBytes(file);
    byte[] start = new byte[8];
    java.nio.ByteBuffer.wrap(start)
        .order(java.nio.ByteOrder.LITTLE_ENDIAN)
        .putLong(JUNE + 200 * MINUTE);
    int at = 0;
    while (!Arrays.equals(bytes, at, at + 8, start, 0, 8)) {
      at++;
    }
    bytes[at + 1] ^= 1;
    Files.write(file, bytes);
  }

  @Test
  void lsListsDaysByTopicPartition() {
    assertThat(run("store", "ls", "-o", "csv")).isEqualTo(ExitCode.OK);
    assertThat(err.toString()).isEmpty();
    List<String> lines = out.toString().lines().toList();
    assertThat(lines).hasSize(5);
    assertThat(lines.get(0))
        .isEqualTo("topic_partition,day,rows,partitions,files,bytes,bytes_a_row,form,clean");
    assertThat(lines.get(1)).startsWith("0,2024-06-01,600,2,2,").endsWith(",live,yes");
    assertThat(lines.get(2)).startsWith("0,2024-06-02,600,2,2,");
    assertThat(lines.get(3)).startsWith("5,2024-06-01,300,1,2,");
    assertThat(run("store", "ls", "-o", "table")).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines().toList().get(5)).startsWith("total").contains("1800");
    assertThat(run("store", "ls", "-o", "json")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).startsWith("[{\"topic_partition\":0,").doesNotContain("total");
  }

  @Test
  void folderInUseIsRefusedByName() throws DataFolderException {
    try (DataFolder used = DataFolder.open(data, "varve", OptionalInt.of(8))) {
      assertThat(run("store", "ls")).isEqualTo(ExitCode.FAILED);
      assertThat(err.toString())
          .contains("is in use by pid " + ProcessHandle.current().pid())
          .contains(used.folder().toString())
          .contains("do:  stop that one first");
      assertThat(out.toString()).isEmpty();
    }
    assertThat(run("store", "ls")).as("once it is given up").isEqualTo(ExitCode.OK);
  }

  @Test
  void folderThatIsNotThereIsNotFound() throws IOException {
    Path there = data.resolveSibling("elsewhere");
    Files.move(data, there);
    assertThat(run("store", "ls")).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(err.toString()).contains("is not there");
    assertThat(data).doesNotExist();
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void lsNamesADamagedDayAndGoesOn() throws IOException {
    flipAByte(0);
    assertThat(run("store", "ls", "-o", "csv")).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines()).hasSize(5);
    assertThat(out.toString()).contains(",damaged,no");
    assertThat(err.toString()).contains("topic_partition=0 day=2024-06-01 file=2024-06-01.0.0.");
  }

  @Test
  void verifySaysOkWithCounts() {
    assertThat(run("store", "verify", "-o", "csv")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .startsWith(
            "name,value\nresult,ok\ntopic_partitions,2\ndays,4\npartitions,6\nrows,1800\nbytes,");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void verifyNamesEachFindingAndFails() throws IOException {
    flipAByte(0);
    Files.write(rows(5).resolve("2024-06-02.index"), new byte[80]);
    Files.writeString(rows(5).resolve("offsets"), "format=1\n");
    assertThat(run("store", "verify", "-o", "csv")).isEqualTo(ExitCode.FAILED);
    List<String> lines = out.toString().lines().toList();
    assertThat(lines).hasSize(4);
    assertThat(lines.get(1)).startsWith("0,2024-06-01,2024-06-01.0.0.").contains("checksum");
    assertThat(lines.get(2)).isEqualTo("5,,offsets,fails its checksum");
    assertThat(lines.get(3)).isEqualTo("5,2024-06-02,2024-06-02.index,index fails its checksum");
    assertThat(err.toString()).contains("damaged: findings=3 topic_partitions=2 days=4");
  }

  @Test
  void verifyNotesWhatAStartMendsAndIsOk() throws IOException {
    Files.writeString(rows(0).resolve("2024-06-01.1.4.next"), "unfinished");
    assertThat(run("store", "verify")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("\"result\" : \"ok\"");
    assertThat(err.toString()).contains("file=2024-06-01.1.4.next: is unfinished");
    assertThat(rows(0).resolve("2024-06-01.1.4.next")).exists();
  }

  @Test
  void statsCountBlocksByKindAndEncoding() {
    assertThat(run("store", "stats", "-o", "csv")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains(
            "topic_partitions,2\n",
            "days,4\n",
            "days_by_form.live,4\n",
            "partitions,6\n",
            "rows,1800\n",
            "blocks.plain,6\n",
            "sealed_blocks.count,12\n",
            "sealed_blocks.time.line,12\n",
            "sealed_blocks.time.delta,0\n",
            "sealed_blocks.value.decimal,12\n",
            "sealed_blocks.value.raw,0\n",
            "dead_bytes,0\n",
            "arrival.in_order,1800\n",
            "arrival.late,0\n",
            "arrival.late_ratio,0.0\n");
    assertThat(err.toString()).isEmpty();
    assertThat(run("store", "stats", "-o", "json")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).startsWith("{").contains("\"bytes_a_row\" : ");
  }

  @Test
  void histogramsShowPercentilesOfPartitions() throws IOException {
    makeStore(7, List.of("x", "y"), 10);
    assertThat(run("store", "histograms", "-o", "csv")).isEqualTo(ExitCode.OK);
    List<String> lines = out.toString().lines().toList();
    assertThat(lines).hasSize(8);
    assertThat(lines.get(0)).isEqualTo("percentile,rows,bytes");
    assertThat(lines.get(1)).isEqualTo("min,10,4096");
    assertThat(lines.get(2)).startsWith("p50,300,");
    assertThat(lines.get(7)).startsWith("max,300,");
    assertThat(StoreHistogramsCommand.nearestRank(50, 1)).isZero();
    assertThat(StoreHistogramsCommand.nearestRank(50, 2)).isZero();
    assertThat(StoreHistogramsCommand.nearestRank(99, 100)).isEqualTo(98);
    assertThat(StoreHistogramsCommand.nearestRank(99, 101)).isEqualTo(99);
  }

  @Test
  void folderWithoutStoresHasNothingToTell() throws IOException {
    Files.move(data.resolve("store"), data.resolveSibling("store"));
    assertThat(run("store", "histograms", "-o", "csv")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).isEqualTo("percentile,rows,bytes\n");
    assertThat(run("store", "stats", "-o", "csv")).isEqualTo(ExitCode.OK);
    assertThat(run("store", "verify")).isEqualTo(ExitCode.OK);
  }

  @Test
  void dumpPrintsRowsOldestFirst() {
    assertThat(run("store", "dump", "--sensor", "b", "-o", "csv")).isEqualTo(ExitCode.OK);
    List<String> lines = out.toString().lines().toList();
    assertThat(lines).hasSize(1 + 2 * ROWS);
    assertThat(lines.get(0)).isEqualTo("timestamp,value,sequence");
    assertThat(lines.get(1)).isEqualTo("2024-06-01T00:00:00.000000Z,0.0,0");
    assertThat(lines.get(2)).isEqualTo("2024-06-01T00:01:00.000000Z,0.1,0");
    assertThat(lines.get(2 * ROWS)).isEqualTo("2024-06-02T04:59:00.000000Z,4.9,0");
    assertThat(lines.subList(1, lines.size())).isSorted();
    assertThat(run("store", "dump", "--sensor", "b", "--day", "2024-06-02", "-o", "csv"))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines()).hasSize(1 + ROWS);
    assertThat(run("store", "dump", "--sensor", "c", "-o", "json")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).startsWith("[{\"timestamp\":\"2024-06-01T00:00:00.000000Z\",");
  }

  @Test
  void dumpMergesTheShardsOfADayAcrossStores() throws IOException {
    makeStore(6, List.of("b"), 5);
    makeStore(7, List.of("b"), 400);
    assertThat(run("store", "dump", "--sensor", "b", "--day", "2024-06-01", "-o", "csv"))
        .isEqualTo(ExitCode.OK);
    List<String> lines = out.toString().lines().skip(1).toList();
    assertThat(lines).as("each key once").hasSize(400).isSorted();
  }

  @Test
  void dumpLeavesDamagedDaysOutAndFails() throws IOException {
    flipAByte(0);
    assertThat(run("store", "dump", "--sensor", "a", "-o", "csv")).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString().lines()).hasSize(1 + ROWS);
    assertThat(out.toString()).doesNotContain("2024-06-01");
    assertThat(err.toString()).contains("days=1 are damaged");
  }

  @Test
  void dumpOfAnUnknownSensorIsNotFound() {
    assertThat(run("store", "dump", "--sensor", "z", "-o", "csv")).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(err.toString()).contains("no rows: sensor=z");
    assertThat(run("store", "dump", "--sensor", "a", "--day", "June")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--day must be a date: got=June");
    assertThat(run("store", "dump")).isEqualTo(ExitCode.USAGE);
  }
}
