package io.varve.server.doctor;

import io.varve.server.doctor.BrokerFigures.GroupOffset;
import io.varve.server.doctor.NodeFigures.Guardrail;
import io.varve.server.doctor.NodeFigures.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A healthy node of four topic partitions, to be made ill in one place. */
final class Patient {
  static final long NOW = 1_764_000_000_000_000L;
  private static final long SECOND = 1_000_000L;

  Optional<Duration> retention = Optional.empty();
  OptionalLong nodeNow = OptionalLong.of(NOW + SECOND / 100);
  OptionalLong openFiles = OptionalLong.of(300);
  long maxOpenFiles = 65_536;
  long[] rows = {50_000, 51_000, 49_000, 50_000};
  long[] came = {500, 510, 490, 500};
  long beginOffset = 0;
  OptionalLong applied = OptionalLong.of(999);
  long eventMicros = NOW - SECOND;
  Map<String, Long> lost = Map.of();
  Map<String, Long> refused = Map.of();
  Map<String, Long> percentiles =
      new HashMap<>(Map.of("p50", 1_000L, "p99", 1_500L, "max", 1_600L));
  long partitionCount = 200;
  double bytesPerRow = 3;
  Guardrail guardrail = new Guardrail(0, "s1 on 2025-11-24, 12,000 bytes, 1,600 rows");
  long visibleLag = 0;

  boolean brokersAnswer = true;
  int rowsPartitions = 4;
  long rowsRetentionMillis = -1;
  long rowsRetentionBytes = -1;
  int sourcePartitions = 4;
  OptionalLong newestAppend = OptionalLong.of(NOW + SECOND);
  OptionalLong members = OptionalLong.of(2);
  OptionalLong committed = OptionalLong.of(1_000);
  long sourceBegin = 0;

  private NodeFigures node(boolean after) {
    List<Store> stores = new ArrayList<>();
    for (int p = 0; p < rows.length; p++) {
      stores.add(
          new Store(
              p,
              rows[p] + (after ? came[p] : 0),
              applied,
              OptionalLong.of(beginOffset),
              OptionalLong.of(eventMicros)));
    }
    return new NodeFigures(
        "varve",
        true,
        List.of("readings"),
        4,
        retention,
        nodeNow,
        openFiles,
        OptionalLong.of(maxOpenFiles),
        stores,
        lost,
        Map.of("readings-0", 1_000L),
        refused,
        percentiles,
        partitionCount,
        bytesPerRow,
        guardrail,
        visibleLag);
  }

  Examined examined() {
    BrokerFigures brokers =
        new BrokerFigures(
            "rows",
            rowsPartitions,
            rowsRetentionMillis,
            rowsRetentionBytes,
            Map.of("readings", sourcePartitions),
            newestAppend,
            members,
            List.of(new GroupOffset("readings-0", committed, sourceBegin)));
    return new Examined(
        node(false),
        node(true),
        NOW,
        NOW + SECOND / 50,
        NOW + 2 * SECOND,
        brokersAnswer ? Optional.of(brokers) : Optional.empty(),
        brokersAnswer ? "" : "no broker answers at 127.0.0.1:9092");
  }

  /** The outcome of one check. */
  Diagnosis check(String name) {
    return Doctor.examine(examined()).stream()
        .filter(d -> d.check().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
