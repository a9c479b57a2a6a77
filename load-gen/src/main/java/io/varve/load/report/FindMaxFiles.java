package io.varve.load.report;

import io.varve.load.search.SearchResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The report on a search: {@code find-max.json} and {@code find-max.html} in one folder. */
public final class FindMaxFiles {
  private FindMaxFiles() {}

  /** Writes both; the folder is made where it is missing. */
  public static void write(Path folder, SearchResult result) throws IOException {
    Map<String, Object> tree = FindMaxTree.of(result);
    ReportFolder.write(folder, "find-max", tree, page(tree));
  }

  private static String page(Map<String, Object> tree) {
    StringBuilder page = Html.begin("Highest rate of " + Tree.text(tree, "target"));
    Map<String, Object> found = Tree.object(tree, "max_per_second");
    page.append("<p>Highest rate that meets the objective: <b>");
    page.append(Html.escape(Tree.text(found, "median"))).append("</b> readings/s, ");
    page.append(Html.escape(Tree.text(found, "lowest"))).append(" to ");
    page.append(Html.escape(Tree.text(found, "highest"))).append(" over repeats.</p>\n");
    for (Object why : Tree.list(tree, "limited_by")) {
      page.append("<p class=\"note\">Limited by: ").append(Html.escape(why.toString()));
      page.append("</p>\n");
    }
    page.append("<h2>p99 by rate</h2>\n");
    Plot plot = new Plot("readings a second asked for", "milliseconds", Plot.Scale.LOG);
    plot.add("produce to visible", points(tree, "visible_p99_ms"));
    plot.add("latest 100", points(tree, "latest_p99_ms"));
    plot.event(Tree.number(found, "median").orElse(0), "found");
    page.append(plot.svg());
    page.append("<h2>Rates tried</h2>\n<table><tr><th>search</th><th>asked/s</th>");
    page.append("<th>reached/s</th><th>visible p99 ms</th><th>latest p99 ms</th>");
    page.append("<th>met</th><th>why not</th></tr>\n");
    for (Map<String, Object> step : Tree.objects(tree, "steps")) {
      page.append("<tr>");
      for (String name :
          List.of(
              "search",
              "asked_per_second",
              "reached_per_second",
              "visible_p99_ms",
              "latest_p99_ms",
              "met")) {
        page.append("<td>").append(Html.escape(Tree.text(step, name))).append("</td>");
      }
      List<String> why = new ArrayList<>();
      Tree.list(step, "why_not").forEach(each -> why.add(each.toString()));
      page.append("<td>").append(Html.escape(String.join("; ", why))).append("</td></tr>\n");
    }
    page.append("</table>\n");
    Html.section(page, "Objective", Tree.object(tree, "objective"));
    Html.section(page, "Knobs", Tree.object(tree, "settings"));
    Html.section(page, "Machine of the load generator", Tree.object(tree, "machine"));
    return page.append("</body></html>\n").toString();
  }

  private static List<double[]> points(Map<String, Object> tree, String name) {
    List<double[]> points = new ArrayList<>();
    for (Map<String, Object> step : Tree.objects(tree, "steps")) {
      Tree.number(step, name)
          .ifPresent(
              y -> {
                if (y > 0) {
                  double x = Tree.number(step, "asked_per_second").orElse(0);
                  points.add(new double[] {x, y});
                }
              });
    }
    points.sort(Comparator.comparingDouble(point -> point[0]));
    return points;
  }
}
