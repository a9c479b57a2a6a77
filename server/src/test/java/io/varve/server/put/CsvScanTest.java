package io.varve.server.put;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.server.advise.ReplayFeed;
import io.varve.server.advise.ReplayFigures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvScanTest {
  private final Path folder;
  private final List<String> heard = new ArrayList<>();

  CsvScanTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void keysAndSizesAreReadAndOtherCellsCounted() throws Exception {
    ReplayFigures figures =
        scan(
            "timestamp,note,sensor_id,value\n"
                + "2024-06-01,abc,s1,1\n" // 10 + 3 + 2 + 1 and four of separators
                + "2024-06-01T01:00:00Z,\"é€😀\",\"ö, x\",2.5\n", // 20 + 9 + 5 + 3 and four
            Optional.empty());

    assertThat(heard).containsExactly("in.csv: columns not read: note");
    assertThat(figures.rows()).isEqualTo(2);
    assertThat(figures.sensors()).isEqualTo(2);
    assertThat(figures.bytes()).isEqualTo(20 + 41);
    assertThat(figures.lastMicros() - figures.firstMicros()).isEqualTo(3_600_000_000L);
  }

  @Test
  void linesThatPutRefusesAreLeftOut() throws Exception {
    ReplayFigures figures =
        scan(
            """
            sensor_id,timestamp,value
            a,2024-06-01,1
            ,2024-06-01,1
            a,soon,1
            a,2024-06-01,
            a,2024-06-01
            a\tb,2024-06-01,1
            a,2024-06-02,1
            """,
            Optional.empty());

    assertThat(figures.rows()).isEqualTo(2);
    assertThat(heard).hasSize(5);
    assertThat(heard.get(0)).isEqualTo("in.csv:3: sensor_id is empty");
    assertThat(heard.get(1)).startsWith("in.csv:4: timestamp");
    assertThat(heard.get(2)).isEqualTo("in.csv:5: value is missing");
    assertThat(heard.get(3)).startsWith("in.csv:6: has 2 fields");
    assertThat(heard.get(4)).isEqualTo("in.csv:7: sensor_id has a control character");
  }

  @Test
  void sensorOfTheWholeFileIsTaken() throws Exception {
    ReplayFigures figures = scan("timestamp,value\n1717200000,1\n1717200010,2\n", Optional.of("é"));

    assertThat(figures.rows()).isEqualTo(2);
    assertThat(figures.sensors()).isEqualTo(1);
  }

  private ReplayFigures scan(String csv, Optional<String> sensor)
      throws IOException, InterruptedException {
    Path file = folder.resolve("in.csv");
    Files.writeString(file, csv, StandardCharsets.UTF_8);
    try (ReplayFeed feed = new ReplayFeed()) {
      CsvScan scan = new CsvScan(feed, new HeardListener(heard));
      scan.run(List.of(new CsvSource("in.csv", Optional.of(file), sensor)));
      assertThat(scan.unusableFiles()).isZero();
      return feed.figures();
    }
  }
}
