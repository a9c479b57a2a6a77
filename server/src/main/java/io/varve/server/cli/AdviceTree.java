package io.varve.server.cli;

import io.varve.schemas.Rfc3339;
import io.varve.server.advise.Advice;
import io.varve.server.advise.Candidate;
import io.varve.server.advise.Guides;
import io.varve.server.advise.Property;
import io.varve.server.advise.ReplayFigures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** An advice as records and as lines. */
final class AdviceTree {
  static final List<String> COLUMNS =
      List.of(
          "key",
          "shards",
          "touched",
          "partitions",
          "p50_rows",
          "max_rows",
          "max_mb",
          "skew",
          "verdict");

  private static final double MEGABYTE = 1e6;

  private final String measured;
  private final ReplayFigures figures;
  private final Guides guides;
  private final Advice advice;
  private final OptionalDouble varveBytes;

  /**
   * @param measured what the bytes are the bytes of
   * @param varveBytes bytes of a row in a store of Varve, where that is known
   */
  AdviceTree(
      String measured,
      ReplayFigures figures,
      Guides guides,
      Advice advice,
      OptionalDouble varveBytes) {
    this.measured = measured;
    this.figures = figures;
    this.guides = guides;
    this.advice = advice;
    this.varveBytes = varveBytes;
  }

  /** One candidate as a record of {@link #COLUMNS}. */
  Map<String, Object> line(Candidate c) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("key", c.width().key());
    line.put("shards", c.shards());
    line.put("touched", c.touched());
    line.put("partitions", Math.round(c.partitions()));
    line.put("p50_rows", rounded(c.p50Rows(), c.p50Rows() < 100 ? 10 : 1));
    line.put("max_rows", c.maxRows());
    line.put("max_mb", rounded(c.maxBytes() / MEGABYTE, c.maxBytes() < MEGABYTE ? 1000 : 10));
    line.put("skew", rounded(c.skew(), c.skew() < 100 ? 10 : 1));
    line.put("verdict", verdict(c));
    return line;
  }

  private String verdict(Candidate c) {
    if (c.failing().isEmpty()) {
      return c.equals(advice.proposal()) ? "ok, proposed" : "ok";
    }
    return "fails "
        + c.failing().stream().map(Property::toString).collect(Collectors.joining(", "));
  }

  /** A number to so many parts of one; whole ones as integers. */
  private static Object rounded(double number, int parts) {
    double rounded = (double) Math.round(number * parts) / parts;
    return rounded == Math.rint(rounded) ? (Object) Math.round(rounded) : (Object) rounded;
  }

  /** The lines about the sample, above the table. */
  List<String> head() {
    List<String> head = new ArrayList<>();
    head.add(
        text(
            "Sample: %,d rows of %s sensors, %s to %s, %s bytes a row (%s).",
            figures.rows(),
            number(figures.sensors()),
            Rfc3339.format(figures.firstMicros()),
            Rfc3339.format(figures.lastMicros()),
            rounded(figures.bytesPerRow(), 10),
            measured));
    head.add(
        text(
            "Query: %s of one sensor; touched: partitions that it reads. Guide: %,d rows and %s MB"
                + " a partition.",
            query(), guides.rows(), rounded(guides.bytes() / MEGABYTE, 10)));
    return head;
  }

  private String query() {
    return guides.query().latest() > 0
        ? text("the latest %,d", guides.query().latest())
        : text("%s hours", rounded(guides.query().hours(), 100));
  }

  private static String number(double estimate) {
    return text("%,d", Math.round(estimate));
  }

  /** The lines below the table. */
  List<String> tail() {
    List<String> tail = new ArrayList<>();
    Candidate p = advice.proposal();
    tail.add(
        p.firstFailing()
                .map(
                    property ->
                        text(
                            "No key passes all. Nearest comes %s, which fails %s",
                            p.text(), property))
                .orElseGet(() -> "Proposed: " + p.text())
            + text(
                ": the largest partition has %,d rows and %s MB%s.",
                p.maxRows(), rounded(p.maxBytes() / MEGABYTE, 10), whole(p)));
    if (p.maxRowsAtMost() > p.maxRows()) {
      tail.add(
          text(
              "Counts: p50 and partitions from a sample of partitions (± %.1f %%); the largest has"
                  + " %,d rows at most.",
              100 * partitionsError(p), p.maxRowsAtMost()));
    }
    tail.add(
        varveBytes.isPresent()
            ? text(
                "In Varve: the node stores %s bytes a row; that partition takes %s MB there.",
                rounded(varveBytes.getAsDouble(), 100),
                rounded(p.maxRows() * varveBytes.getAsDouble() / MEGABYTE, 100))
            : "In Varve: bytes a row are not known here; --node URL asks a node that has such"
                + " rows.");
    advice.warnings().forEach(warning -> tail.add("Warning: " + warning));
    advice.notes().forEach(note -> tail.add("Note: " + note));
    return tail;
  }

  private double partitionsError(Candidate c) {
    return figures.keys().get(c.width().ordinal()).partitionsError();
  }

  private static String whole(Candidate p) {
    return p.fullRows() > 1.01 * p.maxRows()
        ? text(
            " in the sample, %,.0f rows and %s MB when it is whole",
            p.fullRows(), rounded(p.fullBytes() / MEGABYTE, 10))
        : "";
  }

  /** Everything, for JSON. */
  Map<String, Object> tree() {
    Map<String, Object> sample = new LinkedHashMap<>();
    sample.put("rows", figures.rows());
    sample.put("sensors", Math.round(figures.sensors()));
    sample.put("from", Rfc3339.format(figures.firstMicros()));
    sample.put("to", Rfc3339.format(figures.lastMicros()));
    sample.put("bytes_a_row", rounded(figures.bytesPerRow(), 100));
    sample.put("bytes_of", measured);
    varveBytes.ifPresent(bytes -> sample.put("varve_bytes_a_row", rounded(bytes, 100)));
    Map<String, Object> against = new LinkedHashMap<>();
    against.put("rows", guides.rows());
    against.put("bytes", guides.bytes());
    against.put("query", query());
    against.put("touched", guides.touched());
    against.put("keys", guides.keys());
    against.put("skew", guides.skew());
    against.put("share", guides.share());
    against.put("keep_days", guides.keepDays());
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("sample", sample);
    tree.put("guides", against);
    tree.put("candidates", advice.candidates().stream().map(this::object).toList());
    tree.put("proposal", object(advice.proposal()));
    tree.put("warnings", advice.warnings());
    tree.put("notes", advice.notes());
    return tree;
  }

  private Map<String, Object> object(Candidate c) {
    Map<String, Object> object = line(c);
    object.remove("verdict");
    object.put("max_rows_at_most", c.maxRowsAtMost());
    object.put("partitions_error", rounded(partitionsError(c), 10_000));
    object.put("whole_rows", Math.round(c.fullRows()));
    object.put("whole_mb", rounded(c.fullBytes() / MEGABYTE, 1000));
    object.put("passes", c.failing().isEmpty());
    object.put("failing", c.failing().stream().map(Property::toString).toList());
    return object;
  }

  private static String text(String form, Object... values) {
    return String.format(Locale.ROOT, form, values);
  }
}
