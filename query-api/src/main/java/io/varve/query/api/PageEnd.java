package io.varve.query.api;

import io.varve.query.plan.ReadFacts;
import io.varve.query.plan.StopReason;
import io.varve.schemas.Rfc3339;
import io.varve.storage.Freshness;
import io.varve.storage.ReadStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an answer says of itself, in the body of JSON and in the header fields of other formats.
 *
 * @param stopReason why there are no more rows in it
 * @param nextPageToken how to get the next page; empty at the end
 * @param facts what it cost and how fresh it is
 */
record PageEnd(StopReason stopReason, Optional<String> nextPageToken, ReadFacts facts) {
  /**
   * Tells whether the answer has all that it was asked for, up to its limit: only a deadline makes
   * it incomplete.
   */
  boolean complete() {
    return stopReason != StopReason.DEADLINE;
  }

  /** Writes the last members of a JSON answer. */
  void write(JsonBody json) {
    json.textOrNull("next_page_token", nextPageToken)
        .flag("complete", complete())
        .text("stop_reason", stopReason.text())
        .stats(facts.stats())
        .freshness(facts.freshness());
  }

  /** The same facts as header fields. */
  List<Header> headers(TimeFormat times) {
    List<Header> headers = new ArrayList<>();
    headers.add(new Header("Varve-Complete", String.valueOf(complete())));
    headers.add(new Header("Varve-Stop-Reason", stopReason.text()));
    nextPageToken.ifPresent(token -> headers.add(new Header("Varve-Next-Page-Token", token)));
    ReadStats stats = facts.stats();
    headers.add(
        new Header(
            "Varve-Stats",
            "days=%d, shards=%d, blocks=%d, rows_decoded=%d"
                .formatted(stats.days, stats.shards, stats.blocks, stats.rowsDecoded)));
    StringBuilder applied = new StringBuilder();
    OptionalLong eventTime = OptionalLong.empty();
    for (Freshness store : facts.freshness()) {
      applied.append(applied.isEmpty() ? "" : ", ").append(store.topicPartition()).append('=');
      applied.append(
          store.appliedOffset().isPresent() ? store.appliedOffset().getAsLong() : "none");
      eventTime = JsonBody.later(eventTime, store.eventTimeMicros());
    }
    headers.add(new Header("Varve-Applied", applied.toString()));
    eventTime.ifPresent(
        micros -> headers.add(new Header("Varve-Event-Time", instant(micros, times))));
    return headers;
  }

  /** Writes an instant as text. */
  static String instant(long micros, TimeFormat times) {
    return times == TimeFormat.RFC3339
        ? Rfc3339.format(micros)
        : String.valueOf(times.number(micros));
  }
}
