package io.varve.load.report;

import io.varve.load.bench.BenchResult;
import io.varve.load.bench.Drain;
import io.varve.load.http.VarveAdmin;
import io.varve.load.measure.Latency;
import io.varve.load.measure.Summary;
import io.varve.load.oracle.Verdict;
import io.varve.load.probe.QueryKind;
import io.varve.load.probe.Touched;
import io.varve.load.run.LoadResult;
import io.varve.load.target.TargetStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a bench found, as a tree in the form {@value #FORM}: members may be added, never renamed,
 * removed, or given another type. Durations are milliseconds.
 */
public final class BenchTree {
  static final String FORM = "varve-bench/1";

  private BenchTree() {}

  /** The whole as a tree. */
  public static Map<String, Object> of(BenchResult result, double seconds) {
    LoadResult load = result.load();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("form", FORM);
    tree.put("program", result.plan().program());
    tree.put("target_version", load.before().map(TargetStatus::version).orElse("unknown"));
    tree.put("machine", Machine.facts());
    tree.put("seed", result.plan().seed());
    tree.put("seconds", rounded(seconds));
    Map<String, Object> ingest = new LinkedHashMap<>();
    ingest.put("single", drain(result.singles()));
    ingest.put("batched", drain(result.batched()));
    tree.put("ingest", ingest);
    tree.put("rate_per_second", result.plan().rate());
    tree.put("rate_reached_per_second", Math.round(load.rateReached()));
    tree.put("produce_to_visible_ms", latency(load.visible().total()));
    Map<String, Object> queries = new LinkedHashMap<>();
    for (Latency latency : load.queries()) {
      Map<String, Object> query = latency(latency.total());
      Touched touched = touched(load, latency.name());
      query.put("rows", rounded(touched.each(touched.rows())));
      query.put("blocks", rounded(touched.each(touched.blocks())));
      query.put("rows_decoded", rounded(touched.each(touched.rowsDecoded())));
      queries.put(latency.name(), query);
    }
    tree.put("queries_ms", queries);
    Map<String, Object> bytes = new LinkedHashMap<>();
    bytes.put("written", size(result.written()));
    bytes.put("compacted", size(result.compacted()));
    bytes.put("compaction_seconds", rounded(result.compactNanos() / 1e9));
    tree.put("store", bytes);
    tree.put("verdict", load.verdict().map(Verdict::word).orElse("not verified"));
    tree.put("notes", Notes.of(load));
    return tree;
  }

  private static Touched touched(LoadResult load, String name) {
    for (QueryKind kind : QueryKind.values()) {
      if (kind.text().equals(name)) {
        return load.touched().getOrDefault(kind, Touched.NOTHING);
      }
    }
    return Touched.NOTHING;
  }

  private static Map<String, Object> drain(Drain drain) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("readings_a_record", drain.batch());
    tree.put("readings", drain.readings());
    tree.put("seconds", rounded(drain.nanos() / 1e9));
    tree.put("readings_per_second", Math.round(drain.perSecond()));
    return tree;
  }

  private static Map<String, Object> latency(Summary summary) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("count", summary.count());
    tree.put("p50", rounded(summary.p50() / 1e6));
    tree.put("p99", rounded(summary.p99() / 1e6));
    tree.put("max", rounded(summary.max() / 1e6));
    return tree;
  }

  private static Map<String, Object> size(VarveAdmin.Size size) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("rows", size.rows());
    tree.put("bytes", size.bytes());
    tree.put("bytes_a_row", size.rows() == 0 ? 0.0 : rounded((double) size.bytes() / size.rows()));
    return tree;
  }

  private static double rounded(double number) {
    return Math.round(number * 1e3) / 1e3;
  }

  /** The same as records of one table, a measurement each. */
  public static List<Map<String, Object>> table(Map<String, Object> tree) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (String how : List.of("single", "batched")) {
      rows.add(
          Map.of(
              "what",
              "ingest, " + how,
              "readings/s",
              rate(Tree.object(tree, "ingest", how), "readings_per_second")));
    }
    Map<String, Object> visible = new LinkedHashMap<>(Tree.object(tree, "produce_to_visible_ms"));
    visible.put("what", "produce to visible");
    visible.put("readings/s", rate(tree, "rate_reached_per_second"));
    rows.add(row(visible));
    for (String name : Tree.object(tree, "queries_ms").keySet()) {
      Map<String, Object> query = new LinkedHashMap<>(Tree.object(tree, "queries_ms", name));
      query.put("what", name.replace('-', ' '));
      rows.add(row(query));
    }
    for (String when : List.of("written", "compacted")) {
      rows.add(
          Map.of(
              "what",
              "store, " + when,
              "bytes a row",
              Tree.number(Tree.object(tree, "store", when), "bytes_a_row").orElse(0)));
    }
    return rows;
  }

  /** Columns of the table. */
  public static final List<String> COLUMNS =
      List.of("what", "readings/s", "p50 ms", "p99 ms", "rows", "blocks", "decoded", "bytes a row");

  private static long rate(Map<String, Object> tree, String name) {
    return Math.round(Tree.number(tree, name).orElse(0));
  }

  private static Map<String, Object> row(Map<String, Object> figures) {
    Map<String, Object> row = new LinkedHashMap<>(figures);
    Map.of("p50", "p50 ms", "p99", "p99 ms", "rows_decoded", "decoded")
        .forEach(
            (member, column) -> {
              Object value = row.remove(member);
              if (value != null) {
                row.put(column, value);
              }
            });
    return row;
  }
}
