package io.varve.load.report;

import io.varve.load.search.Objective;
import io.varve.load.search.SearchResult;
import io.varve.load.search.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a search for the highest rate found, as a tree in the form {@value #FORM}: members may be
 * added, never renamed, removed, or given another type. Durations are milliseconds.
 */
public final class FindMaxTree {
  static final String FORM = "varve-find-max/1";

  /** Columns of the table of rates that were tried. */
  public static final List<String> COLUMNS =
      List.of("search", "asked/s", "reached/s", "visible p99", "latest p99", "met", "why not");

  private FindMaxTree() {}

  /** The whole as a tree. */
  public static Map<String, Object> of(SearchResult result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("form", FORM);
    tree.put("program", result.plan().program());
    tree.put("target", result.target());
    tree.put("target_version", result.targetVersion().orElse("unknown"));
    tree.put("machine", Machine.facts());
    tree.put("profile", result.plan().profile().name());
    tree.put("settings", result.plan().profile().settings());
    tree.put("seed", result.plan().seed());
    Map<String, Object> objective = new LinkedHashMap<>();
    objective.put("visible_p99_ms", millis(result.plan().objective().visibleP99Nanos()));
    objective.put("latest_p99_ms", millis(result.plan().objective().latestP99Nanos()));
    objective.put("seconds", result.plan().stepNanos() / 1e9);
    objective.put("resolution", result.plan().resolution());
    tree.put("objective", objective);
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("lowest", result.found().stream().min(Long::compare).orElse(0L));
    found.put("median", result.median());
    found.put("highest", result.found().stream().max(Long::compare).orElse(0L));
    found.put("each", result.found());
    tree.put("max_per_second", found);
    tree.put("highest_allowed_met", result.unlimited());
    tree.put("limited_by", result.limitedBy());
    List<Object> steps = new ArrayList<>();
    result.steps().forEach(step -> steps.add(step(step)));
    tree.put("steps", steps);
    return tree;
  }

  private static Map<String, Object> step(Step step) {
    Objective.Figures f = step.figures();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("search", step.search());
    tree.put("asked_per_second", Math.round(f.askedPerSecond()));
    tree.put("reached_per_second", Math.round(f.reachedPerSecond()));
    tree.put("markers", f.visible().count());
    tree.put("visible_p50_ms", millis(f.visible().p50()));
    tree.put("visible_p99_ms", millis(f.visible().p99()));
    tree.put("questions", f.latest().count());
    tree.put("latest_p50_ms", millis(f.latest().p50()));
    tree.put("latest_p99_ms", millis(f.latest().p99()));
    tree.put("schedule_error_p99_ms", millis(f.schedule().p99()));
    tree.put("held_up_seconds", millis(f.heldUpNanos()) / 1e3);
    tree.put("met", step.met());
    tree.put("why_not", step.misses());
    return tree;
  }

  /** One rate that was tried, as a record of the table. */
  public static Map<String, Object> row(Step step) {
    Objective.Figures f = step.figures();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("search", step.search());
    row.put("asked/s", Math.round(f.askedPerSecond()));
    row.put("reached/s", Math.round(f.reachedPerSecond()));
    row.put("visible p99", millis(f.visible().p99()));
    row.put("latest p99", millis(f.latest().p99()));
    row.put("met", step.met() ? "yes" : "no");
    row.put(
        "why not", step.misses().isEmpty() ? Optional.empty() : String.join("; ", step.misses()));
    return row;
  }

  private static double millis(long nanos) {
    return Math.round(nanos / 1e3) / 1e3;
  }
}
