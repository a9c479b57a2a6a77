package io.varve.load.report;

import io.varve.load.measure.Latency;
import io.varve.load.run.LoadResult;
import java.io.IOException;
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
    Map<String, Object> tree = ResultTree.whole(result);
    ReportFolder.write(folder, "load", tree, Html.page(tree));
    for (Latency latency : ResultTree.measured(result)) {
      latency.writeDistribution(folder.resolve(latency.name() + ".hgrm"));
    }
  }
}
