package io.varve.load.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The files of a laboratory of merging: {@code lab-merge.html} and {@code lab-merge.json}. */
public final class LabMerge {
  private LabMerge() {}

  /**
   * Writes both files; the folder is made where it is missing.
   *
   * @param tree as {@link LabMergeTree#of} makes it
   */
  public static void write(Path folder, Map<String, Object> tree) throws IOException {
    ReportFolder.write(folder, "lab-merge", tree, page(tree));
  }

  private static String page(Map<String, Object> tree) {
    String title = "Latest " + Tree.text(tree, "latest") + " over shards and days";
    StringBuilder page = Html.begin(title);
    String verdict = Tree.text(tree, "verdict");
    page.append("<p>Answers judged: <b class=\"").append(Html.escape(verdict)).append("\">");
    page.append(Html.escape(verdict)).append("</b></p>\n");
    for (Object fault : Tree.list(tree, "faults")) {
      page.append("<p class=\"note\">").append(Html.escape(fault.toString())).append("</p>\n");
    }
    plot(page, tree, "Blocks touched", "blocks");
    plot(page, tree, "Rows decoded", "rows_decoded");
    plot(page, tree, "Milliseconds, p50", "p50_ms");
    Html.table(page, "All figures", Tree.list(tree, "cells"));
    return Html.end(page, Tree.list(tree, "notes"));
  }

  /** A line for each density and number of days. */
  private static void plot(
      StringBuilder page, Map<String, Object> tree, String title, String member) {
    Plot plot = new Plot("shards", title.toLowerCase(Locale.ROOT), Plot.Scale.LOG);
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    Map<String, Double> ticks = new LinkedHashMap<>();
    for (Map<String, Object> cell : Tree.objects(tree, "cells")) {
      double shards = Tree.number(cell, "shards").orElse(1);
      double doublings = Math.log(shards) / Math.log(2);
      ticks.put(Tree.text(cell, "shards"), doublings);
      lines
          .computeIfAbsent(
              Tree.text(cell, "density") + ", " + Tree.text(cell, "days") + " d",
              name -> new ArrayList<>())
          .add(new double[] {doublings, Tree.number(cell, member).orElse(0)});
    }
    lines.forEach(plot::add);
    ticks.forEach((shards, at) -> plot.xTick(at, shards));
    page.append("<h2>").append(Html.escape(title)).append("</h2>\n").append(plot.svg());
  }
}
