package io.varve.server.doctor;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that the doctor looks at.
 *
 * @param before what the node told first
 * @param after what it told a little later
 * @param askedMicros the doctor's clock when it asked for {@code before}
 * @param answeredMicros the doctor's clock when it had the answer
 * @param endedMicros the doctor's clock when it had {@code after}
 * @param brokers what the brokers told; empty where they were not asked or did not answer
 * @param whyNoBrokers why not; empty where they did
 */
public record Examined(
    NodeFigures before,
    NodeFigures after,
    long askedMicros,
    long answeredMicros,
    long endedMicros,
    Optional<BrokerFigures> brokers,
    String whyNoBrokers) {

  /** Rows that came meanwhile, by topic partition. */
  Map<Integer, Long> cameByTopicPartition() {
    Map<Integer, Long> came = new HashMap<>();
    after.stores().forEach(s -> came.merge(s.topicPartition(), s.rows(), Long::sum));
    before.stores().forEach(s -> came.computeIfPresent(s.topicPartition(), (p, n) -> n - s.rows()));
    came.replaceAll((p, n) -> Math.max(0, n));
    return came;
  }

  /** Rows that came meanwhile. */
  long came() {
    return cameByTopicPartition().values().stream().mapToLong(Long::longValue).sum();
  }
}
