package io.varve.server.doctor;

import io.varve.server.doctor.BrokerFigures.GroupOffset;
import io.varve.server.doctor.NodeFigures.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Whether the topics hold what is still to be read, and suffice for those who read them. */
final class LogChecks {
  private LogChecks() {}

  static Diagnosis notAsked(String check, Examined examined) {
    return Diagnosis.warn(
        check,
        "not looked at: " + examined.whyNoBrokers(),
        "name the node's brokers with -b HOST:PORT");
  }

  static Diagnosis expiredOffsets(Examined examined) {
    String check = "expired-offsets";
    NodeFigures node = examined.after();
    List<String> bad = new ArrayList<>();
    long lost = node.lost().values().stream().mapToLong(Long::longValue).sum();
    if (lost > 0) {
      bad.add(
          text(
              "%,d records left their topic before they were read (%s)",
              lost, String.join(", ", node.lost().keySet().stream().sorted().toList())));
    }
    for (Store store : node.stores()) {
      // One that has applied nothing yet begins where the log does: nothing was missed.
      long begin = store.beginOffset().orElse(0);
      long next = store.appliedOffset().orElse(begin - 1) + 1;
      if (next < begin) {
        bad.add(
            text(
                "the store of topic partition %d needs offset %,d, its log begins at %,d",
                store.topicPartition(), next, begin));
      }
    }
    List<String> without = new ArrayList<>();
    for (GroupOffset each : examined.brokers().map(BrokerFigures::offsets).orElse(List.of())) {
      if (each.committed().isPresent() && each.committed().getAsLong() < each.begin()) {
        bad.add(
            text(
                "the group is to read %s from offset %,d, the topic begins at %,d",
                each.partition(), each.committed().getAsLong(), each.begin()));
      } else if (each.committed().isEmpty()
          && node.routed().getOrDefault(each.partition(), 0L) > 0) {
        without.add(each.partition());
      }
    }
    if (!bad.isEmpty()) {
      return Diagnosis.bad(
          check,
          String.join("; ", bad),
          "send what was lost again from its origin; keep the source topics for longer than the"
              + " longest stop of all nodes (retention.ms), and the topic rows as long as the"
              + " stores");
    }
    if (!without.isEmpty()) {
      return Diagnosis.warn(
          check,
          "the brokers have forgotten where the group was in " + String.join(", ", without),
          "the next start reads these from their beginning, which stores nothing twice; keep"
              + " offsets.retention.minutes of the brokers above the longest stop");
    }
    return examined.brokers().isPresent()
        ? Diagnosis.ok(check, "nothing was lost, and every offset to be read next is there")
        : Diagnosis.ok(check, "nothing was lost; the group's offsets were not looked at");
  }

  static Diagnosis rowsRetention(Examined examined) {
    String check = "rows-retention";
    if (examined.brokers().isEmpty()) {
      return notAsked(check, examined);
    }
    BrokerFigures brokers = examined.brokers().get();
    Optional<Duration> store = examined.after().retention();
    String stores = store.map(kept -> text("%.1f days", days(kept))).orElse("everything");
    String log =
        brokers.rowsRetentionMillis() < 0
            ? "everything"
            : text("%.1f days", days(Duration.ofMillis(brokers.rowsRetentionMillis())));
    String saw =
        text(
            "the stores keep %s, the topic %s keeps %s%s",
            stores,
            brokers.rowsTopic(),
            log,
            brokers.rowsRetentionBytes() < 0
                ? ""
                : text(" and at most %,d bytes a topic partition", brokers.rowsRetentionBytes()));
    long needed = store.map(Duration::toMillis).orElse(Long.MAX_VALUE);
    boolean shortTime =
        brokers.rowsRetentionMillis() >= 0 && brokers.rowsRetentionMillis() < needed;
    if (!shortTime && brokers.rowsRetentionBytes() < 0) {
      return Diagnosis.ok(check, saw);
    }
    String retention =
        store.map(kept -> Long.toString(kept.plus(Duration.ofDays(7)).toMillis())).orElse("-1");
    return Diagnosis.bad(
        check,
        saw + ": a day that is damaged could not be made again",
        "kafka-configs.sh --alter --topic "
            + brokers.rowsTopic()
            + " --add-config retention.ms="
            + retention
            + ",retention.bytes=-1");
  }

  private static double days(Duration duration) {
    return duration.toMillis() / 86_400e3;
  }

  static Diagnosis topicPartitions(Examined examined) {
    String check = "topic-partitions";
    if (examined.brokers().isEmpty()) {
      return notAsked(check, examined);
    }
    NodeFigures node = examined.after();
    BrokerFigures brokers = examined.brokers().get();
    if (brokers.rowsPartitions() != node.partitions()) {
      return Diagnosis.bad(
          check,
          text(
              "the topic %s has %d topic partitions, the node was made for %d",
              brokers.rowsTopic(), brokers.rowsPartitions(), node.partitions()),
          "stop the node: rows may go where no reader looks. Make the topic again with as many as"
              + " the node has, or a new node with another --name");
    }
    int sources = brokers.sourcePartitions().values().stream().mapToInt(Integer::intValue).sum();
    long threads = brokers.members().orElse(1);
    String saw =
        text(
            "%s stream threads share %d topic partitions of %s and %d of %s",
            brokers.members().isPresent() ? text("%,d", threads) : "an unknown number of",
            brokers.rowsPartitions(),
            brokers.rowsTopic(),
            sources,
            String.join(", ", brokers.sourcePartitions().keySet().stream().sorted().toList()));
    List<String> single =
        brokers.sourcePartitions().entrySet().stream()
            .filter(source -> source.getValue() == 1)
            .map(Map.Entry::getKey)
            .toList();
    if (threads > brokers.rowsPartitions() || threads > sources) {
      return Diagnosis.warn(
          check,
          saw + ": some have nothing to do",
          "more partitions for the source topics (kafka-topics.sh --alter --partitions), fewer"
              + " --threads or nodes; those of rows are fixed for life");
    }
    return single.isEmpty() || threads == 1
        ? Diagnosis.ok(check, saw)
        : Diagnosis.warn(
            check,
            saw + ": all of " + String.join(", ", single) + " passes through one thread",
            "give it more partitions (kafka-topics.sh --alter --partitions)");
  }

  private static String text(String form, Object... values) {
    return String.format(Locale.ROOT, form, values);
  }
}
