package io.varve.query.api;

import io.varve.query.plan.Aggregate;
import io.varve.query.plan.PageToken;
import io.varve.storage.ClusteringKey;
import io.varve.storage.Order;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import io.varve.storage.UtcDay;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What {@code /v1/readings} is asked.
 *
 * @param sensor the sensor
 * @param range event time, half-open, relative times resolved
 * @param order direction
 * @param limit most rows or buckets
 * @param stepMicros bucket length; 0 for rows
 * @param aggregates what each bucket says; empty for rows
 * @param position where a further page resumes; empty for the first page
 * @param nowMicros the instant that relative times were resolved against; 0 where there are none,
 *     so that the same question gets the same page token
 * @param fingerprint hash of the parameters as written
 */
record ReadingsQuery(
    SensorId sensor,
    TimeRange range,
    Order order,
    int limit,
    long stepMicros,
    Set<Aggregate> aggregates,
    Optional<ClusteringKey> position,
    long nowMicros,
    long fingerprint) {
  /** Most rows or buckets on a page, and most buckets in a range. */
  static final int MAX_LIMIT = 10_000;

  private static final int DEFAULT_LIMIT = 100;

  /** The parameters that a page token belongs to; the others only shape the answer. */
  private static final List<String> FINGERPRINTED =
      List.of("sensor_id", "from", "to", "order", "step", "agg");

  /** Reads the parameters; faults are noted there. */
  static ReadingsQuery of(Parameters parameters, long nowMicros) {
    final SensorId sensor = sensor(parameters, "sensor_id", parameters.required("sensor_id", "a"));
    final Order order = order(parameters);
    final long step = parameters.duration("step", 1, PageToken.MAX_STEP_MICROS, "5m").orElse(0);
    final Set<Aggregate> aggregates = aggregates(parameters, step);
    if (step > 0 && parameters.get("from").isEmpty()) {
      parameters.fault("from", "is needed with step", "from=now-24h");
    }
    int limit = parameters.integer("limit", step > 0 ? MAX_LIMIT : DEFAULT_LIMIT, 1, MAX_LIMIT);
    long fingerprint = fingerprint(parameters);
    Optional<PageToken.Rows> token = token(parameters, fingerprint);
    long now = token.map(PageToken.Rows::nowMicros).orElse(nowMicros);
    TimeRange range = range(parameters, now);
    token
        .filter(t -> !t.range().equals(range) || t.order() != order || t.stepMicros() != step)
        .ifPresent(t -> foreign(parameters));
    parameters.check();
    boolean relative = !range.equals(range(parameters, now + 1));
    return new ReadingsQuery(
        sensor,
        range,
        order,
        limit,
        step,
        aggregates,
        token.map(PageToken.Rows::position),
        relative ? now : 0,
        fingerprint);
  }

  static SensorId sensor(Parameters parameters, String name, String text) {
    Optional<SensorId> sensor = SensorIds.parse(text);
    if (sensor.isEmpty()) {
      parameters.fault(name, SensorIds.fault(text), "sensor_id=plant-3%2Ftemp");
    }
    return sensor.orElse(SensorIds.ANY);
  }

  private static Order order(Parameters parameters) {
    return parameters.word("order", List.of("desc", "asc")).equals("asc")
        ? Order.OLDEST_FIRST
        : Order.NEWEST_FIRST;
  }

  private static TimeRange range(Parameters parameters, long nowMicros) {
    long from = parameters.instant("from", nowMicros).orElse(UtcDay.MIN_TIMESTAMP_MICROS);
    OptionalLong to = parameters.instant("to", nowMicros);
    if (from >= to.orElse(UtcDay.END_TIMESTAMP_MICROS)) {
      parameters.fault(
          "from",
          "must be before to: the range is half-open, [from, to)",
          "from=2024-06-01&to=2024-06-02");
      return TimeRange.ALL;
    }
    return new TimeRange(from, to.orElse(UtcDay.END_TIMESTAMP_MICROS));
  }

  private static Set<Aggregate> aggregates(Parameters parameters, long step) {
    Optional<String> text = parameters.get("agg");
    if (step == 0) {
      if (text.isPresent()) {
        parameters.fault("agg", "needs step, the length of a bucket", "step=5m&agg=avg");
      }
      return Set.of();
    }
    Set<Aggregate> aggregates = new LinkedHashSet<>();
    for (String name : text.orElse("avg").split(",", -1)) {
      Optional<Aggregate> aggregate = aggregate(name);
      if (aggregate.isEmpty()) {
        parameters.fault(
            "agg",
            "has none of avg, min, max, sum, count, first, last: " + Parameters.shown(name),
            "agg=avg,max");
      } else if (!aggregates.add(aggregate.get())) {
        parameters.fault("agg", "names " + name + " more than once", "agg=avg,max");
      }
    }
    return aggregates;
  }

  private static Optional<Aggregate> aggregate(String name) {
    for (Aggregate aggregate : Aggregate.values()) {
      if (aggregate.text().equals(name)) {
        return Optional.of(aggregate);
      }
    }
    return Optional.empty();
  }

  private static Optional<PageToken.Rows> token(Parameters parameters, long fingerprint) {
    Optional<String> text = parameters.get("page_token");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<PageToken> token = PageToken.parse(text.get());
    if (token.isEmpty()) {
      damaged(parameters);
    } else if (token.get() instanceof PageToken.Rows rows && rows.fingerprint() == fingerprint) {
      return Optional.of(rows);
    } else {
      foreign(parameters);
    }
    return Optional.empty();
  }

  /** Notes that a page token can't be read. */
  static void damaged(Parameters parameters) {
    parameters.fault(
        "page_token",
        "is damaged or not one of ours; take it whole from next_page_token, or leave it out to"
            + " start at the first page",
        "no page_token");
  }

  /** Notes that a page token belongs to another query. */
  static void foreign(Parameters parameters) {
    parameters.fault(
        "page_token",
        "belongs to another query; repeat all other parameters as they were, or leave it out to"
            + " start at the first page",
        "no page_token");
  }

  private static long fingerprint(Parameters parameters) {
    return fingerprint(parameters, FINGERPRINTED);
  }

  /** Hashes parameters as they were written; absent ones differ from empty ones. */
  static long fingerprint(Parameters parameters, List<String> names) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
    for (String name : names) {
      byte[] value = parameters.get(name).orElse("").getBytes(StandardCharsets.UTF_8);
      int length = parameters.get(name).isPresent() ? value.length : -1;
      digest.update(ByteBuffer.allocate(4).putInt(0, length));
      digest.update(value);
    }
    return ByteBuffer.wrap(digest.digest()).getLong();
  }

  /** The token of the page after one that ended at a position. */
  PageToken.Rows next(ClusteringKey end) {
    return new PageToken.Rows(range, order, stepMicros, nowMicros, end, fingerprint);
  }

  /** The part of the range that further buckets can be in. */
  TimeRange bucketsLeft() {
    if (position.isEmpty()) {
      return range;
    }
    long start = position.get().timestampMicros();
    return order == Order.NEWEST_FIRST
        ? new TimeRange(range.fromMicros(), Math.max(range.fromMicros(), start))
        : new TimeRange(Math.min(range.toMicros(), start + stepMicros), range.toMicros());
  }
}
