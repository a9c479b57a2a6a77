package io.varve.load.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The page of a result: drawings and tables in one file that asks nobody for anything. */
final class Html {
  private static final String STYLE =
      """
      body{font:15px/1.5 system-ui,sans-serif;max-width:900px;margin:2em auto;padding:0 1em;
      color:#1f2937;background:#fff}
      h1{font-size:1.4em}h2{font-size:1.1em;margin-top:2em}
      table{border-collapse:collapse;font-size:.9em}td,th{padding:.15em .8em .15em 0;
      text-align:right;vertical-align:top}td:first-child,th:first-child{text-align:left}
      table.facts td{text-align:left}
      svg{width:100%;height:auto;font:11px system-ui,sans-serif}
      svg text{fill:#374151}svg .grid{stroke:#e5e7eb}svg .event{stroke:#6b7280;
      stroke-dasharray:4 3}svg text.event{fill:#6b7280}
      .clean{color:#047857}.faulty,.not-verified{color:#b91c1c}.note{border-left:3px solid #d97706;
      padding-left:.7em}code{font-size:.9em}
      @media (prefers-color-scheme:dark){body{color:#e5e7eb;background:#111827}
      svg text{fill:#d1d5db}svg .grid{stroke:#374151}.clean{color:#34d399}
      .faulty,.not-verified{color:#f87171}}
      """;

  private static final double[] PARTS = {0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999};
  private static final String[] PART_NAMES = {
    "0", "50 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %"
  };

  private Html() {}

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** The head of a page and its heading. */
  static StringBuilder begin(String title) {
    StringBuilder page = new StringBuilder(64 * 1024);
    page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    page.append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n");
    page.append("<title>").append(escape(title)).append("</title>\n<style>\n").append(STYLE);
    page.append("</style></head><body>\n<h1>").append(escape(title)).append("</h1>\n");
    return page;
  }

  /**
   * Makes the page.
   *
   * @param tree as {@link ResultTree#whole} makes it
   */
  static String page(Map<String, Object> tree) {
    Map<String, Object> workload = Tree.object(tree, "workload");
    StringBuilder page = begin("Load of " + Tree.text(tree, "target"));
    page.append("<p>Profile <b>").append(escape(Tree.text(workload, "profile"))).append("</b>: ");
    page.append(escape(Tree.text(workload, "shows"))).append("</p>\n");
    verdict(page, tree);
    for (Object note : Tree.list(tree, "notes")) {
      page.append("<p class=\"note\">").append(escape(note.toString())).append("</p>\n");
    }
    latencies(page, tree);
    drawings(page, tree);
    section(page, "Run", facts(tree));
    section(page, "Workload", workload);
    section(page, "Knobs", Tree.object(tree, "workload", "settings"));
    section(page, "Machine of the load generator", Tree.object(tree, "machine"));
    return page.append("</body></html>\n").toString();
  }

  private static void verdict(StringBuilder page, Map<String, Object> tree) {
    Map<String, Object> verdict = Tree.object(tree, "verdict");
    if (verdict.isEmpty()) {
      page.append("<p>Answers were not judged.</p>\n");
      return;
    }
    String word = Tree.text(verdict, "word");
    page.append("<p>Verdict: <b class=\"").append(escape(word.replace(' ', '-')));
    page.append("\">").append(escape(word));
    page.append("</b>, ").append(escape(Tree.text(verdict, "rows_read"))).append(" rows of ");
    page.append(escape(Tree.text(verdict, "sensors_read"))).append(" sensors read.</p>\n");
    if (verdict.get("not_verified") instanceof String why) {
      page.append("<p>Not verified: ").append(escape(why)).append(".</p>\n");
    }
    page.append("<ul>\n");
    for (Object fault : Tree.list(verdict, "first_faults")) {
      page.append("<li><code>").append(escape(fault.toString())).append("</code></li>\n");
    }
    page.append("</ul>\n");
  }

  private static void latencies(StringBuilder page, Map<String, Object> tree) {
    String[] columns = {"count", "p50", "p90", "p99", "p99.9", "p99.99", "max"};
    page.append("<h2>Milliseconds, from when things were due</h2>\n<table><tr><th></th>");
    for (String column : columns) {
      page.append("<th>").append(column).append("</th>");
    }
    page.append("</tr>\n");
    Map<String, Object> all = Tree.object(tree, "latency_ms");
    for (String name : all.keySet()) {
      page.append("<tr><td>").append(escape(name)).append("</td>");
      for (String column : columns) {
        page.append("<td>").append(escape(Tree.text(Tree.object(all, name), column)));
        page.append("</td>");
      }
      page.append("</tr>\n");
    }
    page.append("</table>\n");
  }

  private static void drawings(StringBuilder page, Map<String, Object> tree) {
    page.append("<h2>Distribution</h2>\n");
    Plot quantiles = new Plot("part of all that is not longer", "milliseconds", Plot.Scale.LOG);
    for (int i = 0; i < PARTS.length; i++) {
      quantiles.xTick(nines(PARTS[i]), PART_NAMES[i]);
    }
    Map<String, Object> distributions = Tree.object(tree, "distributions");
    distributions.forEach((name, points) -> quantiles.add(name, quantilePoints(points)));
    page.append(quantiles.svg());
    page.append("<h2>Rate</h2>\n");
    overTime(
        page,
        tree,
        "readings a second",
        Plot.Scale.LINEAR,
        "sent_per_second",
        "acknowledged_per_second");
    page.append("<h2>Lag</h2>\n");
    overTime(page, tree, "records", Plot.Scale.LINEAR, "lag_records");
    page.append("<h2>p99 of each second</h2>\n");
    overTime(
        page,
        tree,
        "milliseconds",
        Plot.Scale.LOG,
        "acknowledged_p99_ms",
        "visible_p99_ms",
        "query_p99_ms");
  }

  /** Distance from the whole in powers of ten: 0.9 is 1, 0.99 is 2. */
  private static double nines(double part) {
    return -Math.log10(Math.max(1e-6, 1 - part));
  }

  private static List<double[]> quantilePoints(Object points) {
    List<double[]> places = new ArrayList<>();
    if (points instanceof List<?> list) {
      for (Object point : list) {
        if (point instanceof List<?> pair
            && pair.get(0) instanceof Number part
            && pair.get(1) instanceof Number millis
            && part.doubleValue() < 1) {
          places.add(new double[] {nines(part.doubleValue()), millis.doubleValue()});
        }
      }
    }
    return places;
  }

  private static void overTime(
      StringBuilder page,
      Map<String, Object> tree,
      String unit,
      Plot.Scale scale,
      String... names) {
    Plot plot = new Plot("seconds since the start", unit, scale);
    for (String name : names) {
      List<double[]> points = new ArrayList<>();
      for (Map<String, Object> second : Tree.objects(tree, "timeline")) {
        Tree.number(second, name)
            .ifPresent(
                y -> points.add(new double[] {Tree.number(second, "at_seconds").orElse(0), y}));
      }
      plot.add(name.replace("_per_second", "").replace("_ms", "").replace('_', ' '), points);
    }
    for (Map<String, Object> event : Tree.objects(tree, "events")) {
      plot.event(Tree.number(event, "at_seconds").orElse(0), Tree.text(event, "text"));
    }
    page.append(plot.svg());
  }

  private static Map<String, Object> facts(Map<String, Object> tree) {
    Map<String, Object> facts = new java.util.LinkedHashMap<>();
    for (String name : List.of("started_at", "loop", "program", "target_version")) {
      facts.put(name, Tree.text(tree, name));
    }
    for (String name : List.of("rate", "sent", "questions", "ledger")) {
      facts.put(name, Tree.object(tree, name));
    }
    facts.put("lag_records", Tree.object(tree, "lag_records"));
    return facts;
  }

  /** A table of facts under a heading of its own. */
  static void section(StringBuilder page, String title, Map<String, Object> facts) {
    page.append("<h2>").append(title).append("</h2>\n<table class=\"facts\">\n");
    facts.forEach(
        (name, value) -> {
          if (!name.equals("settings") && !name.equals("shows")) {
            page.append("<tr><td>").append(escape(name)).append("</td><td>");
            page.append(escape(words(value))).append("</td></tr>\n");
          }
        });
    page.append("</table>\n");
  }

  private static String words(Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      return value.toString();
    }
    List<String> parts = new ArrayList<>();
    map.forEach((name, inner) -> parts.add(name + " " + words(inner)));
    return String.join(", ", parts);
  }

  /** A table of records, all with the members of the first; nothing where there are none. */
  static void table(StringBuilder page, String title, List<?> rows) {
    if (rows.isEmpty()) {
      return;
    }
    page.append("<h2>").append(escape(title)).append("</h2>\n<table><tr>");
    Map<?, ?> first = (Map<?, ?>) rows.get(0);
    for (Object column : first.keySet()) {
      page.append("<th>").append(escape(column.toString())).append("</th>");
    }
    page.append("</tr>\n");
    for (Object row : rows) {
      page.append("<tr>");
      for (Object value : ((Map<?, ?>) row).values()) {
        page.append("<td>").append(escape(value.toString())).append("</td>");
      }
      page.append("</tr>\n");
    }
    page.append("</table>\n");
  }

  /** Ends a page with notes. */
  static String end(StringBuilder page, List<?> notes) {
    page.append("<ul>\n");
    for (Object note : notes) {
      page.append("<li>").append(escape(note.toString())).append("</li>\n");
    }
    return page.append("</ul></body></html>\n").toString();
  }
}
