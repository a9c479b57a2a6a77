package io.varve.server.doctor;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Whether partitions, and topic partitions, are of a size. */
final class SizeChecks {
  /** How often the largest partition may be the one at p99, or at p50 divided by ten. */
  private static final double FAR_ABOVE = 10;

  private static final double BUSIER = 2;
  private static final long FEW_ROWS = 10_000;
  private static final long FEW_ROWS_COMING = 1_000;

  /** A day of so few rows costs more for itself than for its rows. */
  private static final long SMALL_PARTITION = 24;

  private static final long FEW_PARTITIONS = 1_000;
  private static final double DEAR_ROW = 50;

  private SizeChecks() {}

  static Diagnosis partitionSkew(Examined examined) {
    String check = "partition-skew";
    NodeFigures node = examined.after();
    long p50 = node.rowsAt("p50");
    long p99 = node.rowsAt("p99");
    long max = node.rowsAt("max");
    if (max == 0) {
      return Diagnosis.ok(check, "no rows yet");
    }
    String saw =
        text(
            "largest partition %,d rows, %.1f times p99 (%,d) and %.0f times p50 (%,d)",
            max, (double) max / p99, p99, (double) max / p50, p50);
    boolean far = max > FAR_ABOVE * p99 || max > 10 * FAR_ABOVE * p50;
    return far
        ? Diagnosis.warn(
            check,
            saw + largest(node),
            "./varve shards list shows whether the node splits it by itself; ./varve shards set"
                + " SENSOR N does it now, for rows to come; ./varve advise --topic "
                + (node.sources().isEmpty() ? "NAME" : node.sources().get(0))
                + " shows what would be enough")
        : Diagnosis.ok(check, saw);
  }

  private static String largest(NodeFigures node) {
    return node.guardrail().largest().isEmpty()
        ? ""
        : "; largest by bytes: " + node.guardrail().largest();
  }

  static Diagnosis partitionSize(Examined examined) {
    String check = "partition-size";
    NodeFigures node = examined.after();
    long over = node.guardrail().over();
    return over == 0
        ? Diagnosis.ok(check, "no shard of a day exceeds the guardrail" + largest(node))
        : Diagnosis.bad(
            check,
            text("%,d shards of a day exceed the guardrail%s", over, largest(node)),
            "give these sensors more shards (./varve shards set SENSOR N), send less often, or raise"
                + " --guardrail-bytes if such days are meant");
  }

  static Diagnosis bucketing(Examined examined) {
    String check = "bucketing";
    NodeFigures node = examined.after();
    String saw =
        text(
            "%,d partitions, %,d rows in the one in the middle, %.1f bytes a row",
            node.partitionCount(), node.rowsAt("p50"), node.bytesPerRow());
    boolean small =
        node.partitionCount() >= FEW_PARTITIONS
            && node.rowsAt("p50") <= SMALL_PARTITION
            && node.bytesPerRow() > DEAR_ROW;
    return small
        ? Diagnosis.warn(
            check,
            saw,
            "a day is a short bucket for sensors that send so seldom: POST /v1/store/compact"
                + " makes what is there small; where it stays dear, keep them elsewhere")
        : Diagnosis.ok(check, saw);
  }

  static Diagnosis topicPartitionRows(Examined examined) {
    Map<Integer, Long> rows = new HashMap<>();
    examined.after().stores().forEach(s -> rows.put(s.topicPartition(), s.rows()));
    return even("topic-partition-rows", "hold", rows, FEW_ROWS);
  }

  static Diagnosis topicPartitionRate(Examined examined) {
    return even(
        "topic-partition-rate",
        "took in within two seconds",
        examined.cameByTopicPartition(),
        FEW_ROWS_COMING);
  }

  private static Diagnosis even(String check, String what, Map<Integer, Long> rows, long few) {
    long all = rows.values().stream().mapToLong(Long::longValue).sum();
    if (rows.size() < 2 || all < few) {
      return Diagnosis.ok(
          check, text("rows that the stores here %s: %,d, too few to compare", what, all));
    }
    Map.Entry<Integer, Long> busiest =
        rows.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
    double mean = (double) all / rows.size();
    String saw =
        text(
            "rows that the stores here %s: %,d; topic partition %d has %,d, %.1f times the mean of %,.0f",
            what, all, busiest.getKey(), busiest.getValue(), busiest.getValue() / mean, mean);
    return busiest.getValue() > BUSIER * mean
        ? Diagnosis.warn(
            check,
            saw,
            "./varve top names the busiest sensors; one that takes more than its part: ./varve shards"
                + " set SENSOR N")
        : Diagnosis.ok(check, saw);
  }

  private static String text(String form, Object... values) {
    return String.format(Locale.ROOT, form, values);
  }
}
