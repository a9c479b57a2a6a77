package io.varve.load.report;

import io.varve.load.fleet.Knob;
import io.varve.load.measure.Latency;
import io.varve.load.measure.Quantile;
import io.varve.load.measure.Summary;
import io.varve.load.oracle.Verdict;
import io.varve.load.probe.QueryKind;
import io.varve.load.probe.Touched;
import io.varve.load.run.Event;
import io.varve.load.run.LoadResult;
import io.varve.load.run.Second;
import io.varve.load.target.TargetStatus;
import io.varve.schemas.Rfc3339;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A result as a tree in the form {@value #FORM}: members are added in later versions of the form's
 * number, never renamed or removed. Durations are milliseconds.
 */
public final class ResultTree {
  static final String FORM = "varve-load/1";

  private ResultTree() {}

  /** What is printed: all but the course of the run and the distributions. */
  public static Map<String, Object> summary(LoadResult result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("form", FORM);
    tree.put("program", result.plan().program());
    tree.put("target", result.target());
    tree.put(
        "target_version",
        result
            .before()
            .map(TargetStatus::version)
            .map(Object.class::cast)
            .orElse(Optional.empty()));
    tree.put("started_at", Rfc3339.format(result.startMillis() * 1_000));
    tree.put("machine", Machine.facts());
    tree.put("workload", workload(result));
    tree.put("loop", result.plan().closedLoop() ? "closed" : "open");
    tree.put("rate", rate(result));
    tree.put("sent", sent(result));
    tree.put("latency_ms", latencies(result));
    tree.put("touched_by_query", touched(result.touched()));
    tree.put("schedule_error_ms", summary(result.scheduleError().total()));
    tree.put("questions", questions(result));
    tree.put("lag_records", lag(result));
    tree.put("ledger", ledger(result));
    tree.put("verdict", result.verdict().map(v -> (Object) verdict(v)).orElse(Optional.empty()));
    tree.put("notes", Notes.of(result));
    return tree;
  }

  /** What is written to a file: the summary, the course of the run, and the distributions. */
  public static Map<String, Object> whole(LoadResult result) {
    Map<String, Object> tree = summary(result);
    List<Object> timeline = new ArrayList<>();
    for (Second second : result.timeline()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("at_seconds", rounded(second.atNanos() / 1e9));
      entry.put("sent_per_second", Math.round(second.sent()));
      entry.put("acknowledged_per_second", Math.round(second.acknowledged()));
      entry.put("lag_records", second.lagRecords() < 0 ? Optional.empty() : second.lagRecords());
      entry.put("acknowledged_p99_ms", millis(second.acknowledgedP99()));
      entry.put("visible_p99_ms", millis(second.visibleP99()));
      entry.put("query_p99_ms", millis(second.queryP99()));
      timeline.add(entry);
    }
    tree.put("timeline", timeline);
    List<Object> events = new ArrayList<>();
    for (Event event : result.events()) {
      events.add(Map.of("at_seconds", rounded(event.atNanos() / 1e9), "text", event.text()));
    }
    tree.put("events", events);
    Map<String, Object> distributions = new LinkedHashMap<>();
    for (Latency latency : measured(result)) {
      distributions.put(latency.name(), distribution(latency));
    }
    tree.put("distributions", distributions);
    return tree;
  }

  /** All that was measured of the target. */
  static List<Latency> measured(LoadResult result) {
    List<Latency> all = new ArrayList<>();
    all.add(result.acknowledged());
    all.add(result.visible());
    all.addAll(result.queries());
    return all;
  }

  private static List<Object> distribution(Latency latency) {
    List<Object> points = new ArrayList<>();
    for (Quantile point : latency.distribution()) {
      points.add(List.of(point.part(), millis(point.nanos())));
    }
    return points;
  }

  private static Map<String, Object> workload(LoadResult result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("profile", result.plan().profile().name());
    tree.put("shows", result.plan().profile().shows());
    tree.put("seed", result.plan().seed());
    tree.put("sensors_begin_with", result.fleet().name() + "/");
    tree.put("readings", result.readings());
    tree.put("bad_records", result.poisons());
    tree.put("hash", result.workloadHash());
    tree.put("settings", result.plan().profile().settings());
    return tree;
  }

  private static Map<String, Object> rate(LoadResult result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("asked_per_second", result.plan().profile().count(Knob.RATE));
    tree.put("reached_per_second", Math.round(result.rateReached()));
    tree.put("warm_up_seconds", rounded(result.plan().warmUpNanos() / 1e9));
    tree.put("seconds", rounded(result.sendNanos() / 1e9));
    tree.put("held_up_seconds", rounded(result.blockedNanos() / 1e9));
    tree.put(
        "waited_for_processor_seconds",
        result.waitedNanos().isPresent()
            ? rounded(result.waitedNanos().getAsLong() / 1e9)
            : Optional.empty());
    return tree;
  }

  private static Map<String, Object> sent(LoadResult result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("records", result.tally().sentRecords());
    tree.put("readings", result.tally().sentReadings());
    tree.put("acknowledged", result.tally().acknowledgedReadings());
    tree.put("failed", result.tally().failedReadings());
    tree.put("bad_records", result.tally().sentPoison());
    return tree;
  }

  private static Map<String, Object> latencies(LoadResult result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    for (Latency latency : measured(result)) {
      tree.put(latency.name(), summary(latency.total()));
    }
    return tree;
  }

  /** What an answer of each kind has and costs, on average; zeros where the target does not say. */
  static Map<String, Object> touched(Map<QueryKind, Touched> touched) {
    Map<String, Object> tree = new LinkedHashMap<>();
    for (QueryKind kind : QueryKind.values()) {
      Touched cost = touched.getOrDefault(kind, Touched.NOTHING);
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("answers", cost.answers());
      each.put("rows", rounded(cost.each(cost.rows())));
      each.put("blocks", rounded(cost.each(cost.blocks())));
      each.put("rows_decoded", rounded(cost.each(cost.rowsDecoded())));
      tree.put(kind.text(), each);
    }
    return tree;
  }

  private static Map<String, Object> summary(Summary summary) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("count", summary.count());
    tree.put("mean", millis(summary.mean()));
    tree.put("p50", millis(summary.p50()));
    tree.put("p90", millis(summary.p90()));
    tree.put("p99", millis(summary.p99()));
    tree.put("p99.9", millis(summary.p999()));
    tree.put("p99.99", millis(summary.p9999()));
    tree.put("max", millis(summary.max()));
    return tree;
  }

  private static Map<String, Object> questions(LoadResult result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("asked", result.asked());
    tree.put("unanswered", result.unanswered());
    tree.put("failed", result.failedAnswers());
    tree.put("markers", result.markers());
    tree.put("markers_seen", result.markersSeen());
    return tree;
  }

  private static Map<String, Object> lag(LoadResult result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("highest", new TreeMap<>(result.highestLag()));
    tree.put(
        "at_end",
        result.after().map(status -> (Object) status.totalLag()).orElse(Optional.empty()));
    return tree;
  }

  /** What the target's ledger grew by; other producers of the time count too. */
  private static Object ledger(LoadResult result) {
    if (result.before().isEmpty() || result.after().isEmpty()) {
      return Optional.empty();
    }
    TargetStatus before = result.before().get();
    TargetStatus after = result.after().get();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("stored", after.stored() - before.stored());
    tree.put("overwritten", after.overwritten() - before.overwritten());
    tree.put("duplicates", after.duplicates() - before.duplicates());
    tree.put("refused", after.refused() - before.refused());
    tree.put("dead_lettered", after.deadLettered() - before.deadLettered());
    return tree;
  }

  private static Map<String, Object> verdict(Verdict verdict) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("word", verdict.word());
    tree.put("answers_while_loading", verdict.answers());
    tree.put("sensors_read", verdict.sensors());
    tree.put("sensors", verdict.ofSensors());
    tree.put("rows_read", verdict.rows());
    tree.put("sensors_without_answer", verdict.unread());
    tree.put(
        "not_verified", verdict.notVerified().map(Object.class::cast).orElse(Optional.empty()));
    Map<String, Object> faults = new TreeMap<>();
    verdict.counts().forEach((kind, count) -> faults.put(kind.text(), count));
    tree.put("faults", faults);
    tree.put("first_faults", verdict.first().stream().map(Object::toString).toList());
    return tree;
  }

  private static double millis(long nanos) {
    return Math.round(nanos / 1e3) / 1e3;
  }

  private static double rounded(double seconds) {
    return Math.round(seconds * 1e3) / 1e3;
  }
}
