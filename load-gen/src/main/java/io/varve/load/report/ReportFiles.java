package io.varve.load.report;

import io.varve.load.json.Json;
import io.varve.load.measure.Latency;
import io.varve.load.run.LoadResult;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The files of a report in one folder. */
public final class ReportFiles {
  private ReportFiles() {}

  /** The file for the histograms of each second; the folder is made where it is missing. */
  public static Path intervalLog(Path folder) throws IOException {
    Files.createDirectories(folder);
    return folder.resolve("load.hlog");
  }

  /** Writes {@code load.json}, {@code load.html} and a {@code .hgrm} for each measurement. */
  public static void write(Path folder, LoadResult result) throws IOException {
    Files.createDirectories(folder);
    Map<String, Object> tree = ResultTree.whole(result);
    try (Writer out =
        Files.newBufferedWriter(folder.resolve("load.json"), StandardCharsets.UTF_8)) {
      Json.write(tree, out);
    }
    Files.writeString(folder.resolve("load.html"), Html.page(tree));
    for (Latency latency : ResultTree.measured(result)) {
      latency.writeDistribution(folder.resolve(latency.name() + ".hgrm"));
    }
  }
}
