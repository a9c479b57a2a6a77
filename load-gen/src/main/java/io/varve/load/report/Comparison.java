package io.varve.load.report;

import io.varve.load.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * Two results side by side.
 *
 * @param rows a row a figure: {@code figure}, {@code a}, {@code b}, and {@code b/a} where both are
 *     numbers
 * @param warnings why the two should not be compared, in sentences
 */
public record Comparison(List<Map<String, Object>> rows, List<String> warnings) {
  private static final List<String> QUANTILES = List.of("p50", "p99", "p99.9", "max");

  public Comparison {
    rows = List.copyOf(rows);
    warnings = List.copyOf(warnings);
  }

  /**
   * Reads a result.
   *
   * @throws IOException if the file cannot be read, or is no result of a load
   */
  public static Map<String, Object> read(Path file) throws IOException {
    byte[] text = Files.readAllBytes(file);
    Map<String, Object> tree = Json.readObject(text, text.length);
    if (!ResultTree.FORM.equals(tree.get("form"))) {
      throw new IOException("it is not of the form " + ResultTree.FORM);
    }
    return tree;
  }

  /** Compares two results. */
  public static Comparison of(Map<String, Object> a, Map<String, Object> b) {
    List<Map<String, Object>> rows = new ArrayList<>();
    row(
        rows,
        "readings/s reached",
        Tree.object(a, "rate"),
        Tree.object(b, "rate"),
        "reached_per_second");
    for (String name : Tree.object(a, "latency_ms").keySet()) {
      Map<String, Object> of = Tree.object(a, "latency_ms", name);
      Map<String, Object> to = Tree.object(b, "latency_ms", name);
      for (String quantile : QUANTILES) {
        row(rows, name + " " + quantile + " ms", of, to, quantile);
      }
    }
    row(rows, "verdict", Tree.object(a, "verdict"), Tree.object(b, "verdict"), "word");
    return new Comparison(rows, warnings(a, b));
  }

  private static void row(
      List<Map<String, Object>> rows,
      String figure,
      Map<String, Object> a,
      Map<String, Object> b,
      String member) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("figure", figure);
    row.put("a", Tree.text(a, member));
    row.put("b", Tree.text(b, member));
    OptionalDouble of = Tree.number(a, member);
    OptionalDouble to = Tree.number(b, member);
    if (of.isPresent() && to.isPresent() && of.getAsDouble() > 0) {
      row.put("b/a", String.format(Locale.ROOT, "%.2f", to.getAsDouble() / of.getAsDouble()));
    }
    rows.add(row);
  }

  private static List<String> warnings(Map<String, Object> a, Map<String, Object> b) {
    List<String> warnings = new ArrayList<>();
    if (!Objects.equals(a.get("loop"), b.get("loop"))) {
      warnings.add("one is an open loop and one a closed one: durations mean different things");
    }
    Map<String, Object> knobs = Tree.object(a, "workload", "settings");
    Map<String, Object> others = Tree.object(b, "workload", "settings");
    for (String knob : knobs.keySet()) {
      if (!Objects.equals(knobs.get(knob), others.get(knob))) {
        warnings.add(
            "the workloads differ: "
                + knob
                + " is "
                + knobs.get(knob)
                + " and "
                + others.get(knob));
      }
    }
    if (!Objects.equals(seed(a), seed(b))) {
      warnings.add("the workloads differ: seed is " + seed(a) + " and " + seed(b));
    }
    if (!Objects.equals(Tree.object(a, "machine"), Tree.object(b, "machine"))) {
      warnings.add("they ran on different machines, systems or Java versions");
    }
    for (Map<String, Object> one : List.of(a, b)) {
      for (Object note : Tree.list(one, "notes")) {
        warnings.add((one == a ? "a: " : "b: ") + note);
      }
    }
    return warnings;
  }

  private static Object seed(Map<String, Object> tree) {
    return Tree.text(Tree.object(tree, "workload"), "seed");
  }
}
