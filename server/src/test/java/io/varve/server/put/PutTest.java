package io.varve.server.put;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PutTest {
  private final Path folder;
  private final ListSink sink = new ListSink();
  private final HeardListener heard = new HeardListener(new ArrayList<>());

  PutTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void goodLinesGoInAndBadOnesAreNamedByFileAndLine() throws IOException {
    PutReport report =
        put(
            """
            sensor_id,timestamp,value
            a,2024-06-01,1
            ,2024-06-01,2
            "quoted, with a comma",2024-06-01,3

            b,yesterday,4
            b,2024-06-01
            b,2024-06-02,5
            """,
            Optional.empty());
    assertThat(sink.rows)
        .containsExactly(
            "a 1717200000000000 1.0 0",
            "quoted, with a comma 1717200000000000 3.0 0",
            "b 1717286400000000 5.0 0");
    assertThat(heard.lines()).hasSize(3);
    assertThat(heard.lines().get(0)).isEqualTo("in.csv:3: sensor_id is empty");
    assertThat(heard.lines().get(1)).startsWith("in.csv:6: timestamp");
    assertThat(heard.lines().get(2)).startsWith("in.csv:7: has 2 fields");
    assertThat(report.rows()).isEqualTo(3);
    assertThat(report.refusedLines()).isEqualTo(3);
    assertThat(report.complete()).isFalse();
  }

  @Test
  void equalTimesAreNumberedSoThatNoneIsLost() throws IOException {
    put("timestamp,value\n2024-06-01,1\n2024-06-01,1\n2024-06-01,2\n", Optional.of("a"));
    assertThat(sink.rows)
        .containsExactly(
            "a 1717200000000000 1.0 0", "a 1717200000000000 1.0 1", "a 1717200000000000 2.0 2");
  }

  @Test
  void givenSequencesAreTakenAsTheyAre() throws IOException {
    put("timestamp,sequence,value\n2024-06-01,7,1\n2024-06-01,7,2\n", Optional.of("a"));
    assertThat(sink.rows).containsExactly("a 1717200000000000 1.0 7", "a 1717200000000000 2.0 7");
  }

  @Test
  void byteOrderMarkAndCarriageReturnsDoNoHarm() throws IOException {
    put("\ufefftimestamp,value\r\n2024-06-01,1\r\n", Optional.of("a"));
    assertThat(sink.rows).containsExactly("a 1717200000000000 1.0 0");
  }

  @Test
  void unusableFileDoesNotKeepTheOthersOut() throws IOException {
    CsvSource bad = source("bad.csv", "a,b\n1,2\n", Optional.of("a"));
    CsvSource empty = source("empty.csv", "", Optional.of("a"));
    CsvSource good = source("good.csv", "timestamp,value\n2024-06-01,1\n", Optional.of("a"));
    PutReport report = new Put(sink, heard).run(List.of(bad, empty, good));
    assertThat(sink.rows).hasSize(1);
    assertThat(report.files()).isEqualTo(1);
    assertThat(report.unusableFiles()).isEqualTo(2);
    assertThat(heard.lines().get(0)).startsWith("bad.csv: the first line does not name");
    assertThat(heard.lines().get(1)).startsWith("empty.csv: it is empty");
  }

  @Test
  void quoteThatNeverEndsIsTold() throws IOException {
    String text = "timestamp,value\n2024-06-01,1\n\"2024-06-02,2\n" + "2024-06-03,3\n".repeat(99);
    PutReport report = put(text, Optional.of("a"));
    assertThat(report.complete()).isFalse();
    assertThat(sink.rows).hasSize(1);
    assertThat(heard.lines()).hasSize(1);
  }

  private PutReport put(String text, Optional<String> sensor) throws IOException {
    return new Put(sink, heard).run(List.of(source("in.csv", text, sensor)));
  }

  private CsvSource source(String name, String text, Optional<String> sensor) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, text, StandardCharsets.UTF_8);
    return new CsvSource(name, Optional.of(file), sensor);
  }

  private static final class ListSink implements RowSink {
    final List<String> rows = new ArrayList<>();

    @Override
    public void row(String sensorId, long timestampMicros, double value, long sequence) {
      rows.add(sensorId + " " + timestampMicros + " " + value + " " + sequence);
    }

    @Override
    public void finish() {}

    @Override
    public long acknowledged() {
      return rows.size();
    }

    @Override
    public long failed() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
