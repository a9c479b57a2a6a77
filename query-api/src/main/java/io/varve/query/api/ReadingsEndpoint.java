package io.varve.query.api;

import io.varve.query.HttpSettings;
import io.varve.query.Stores;
import io.varve.query.plan.Deadline;
import io.varve.query.plan.Downsampler;
import io.varve.query.plan.ReadFacts;
import io.varve.query.plan.RowPage;
import io.varve.query.plan.RowWalk;
import io.varve.query.plan.ServingStores;
import io.varve.query.plan.StopReason;
import io.varve.storage.ClusteringKey;
import io.varve.storage.Order;
import io.varve.storage.RowCursor;
import io.varve.storage.TimeRange;
import io.varve.storage.UtcDay;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** {@code GET /v1/readings}: rows or buckets of one sensor, page by page. */
final class ReadingsEndpoint implements Endpoint {
  static final String PATH = "/v1/readings";

  private static final Set<String> PARAMETERS =
      Set.of(
          "sensor_id",
          "from",
          "to",
          "limit",
          "order",
          "page_token",
          "step",
          "agg",
          "ts",
          "format",
          "timeout");

  private final HttpSettings settings;
  private final Stores stores;
  private final Admission admission;
  private final LongSupplier nowMicros;

  ReadingsEndpoint(
      HttpSettings settings, Stores stores, Admission admission, LongSupplier nowMicros) {
    this.settings = settings;
    this.stores = stores;
    this.admission = admission;
    this.nowMicros = nowMicros;
  }

  @Override
  public Answer answer(Request request, Body body) {
    long now = nowMicros.getAsLong();
    Parameters parameters = Parameters.parse(request.rawQuery(), PARAMETERS, Set.of());
    Format format = Format.of(parameters, request);
    TimeFormat times = parameters.timeFormat();
    Deadline deadline = Deadline.after(Timeouts.of(parameters, settings), System::nanoTime);
    ReadingsQuery query = ReadingsQuery.of(parameters, now);
    ReadingsOutput output = ReadingsOutput.of(format, query, now, body, times);
    return admission.run(
        () -> {
          Page page =
              query.stepMicros() > 0
                  ? buckets(query, output, deadline)
                  : rows(query, output, deadline);
          return finish(request, query, page, format, times, body);
        });
  }

  /** A page that was written: how it ended, and whether its sensor is known. */
  private record Page(PageEnd end, boolean known) {}

  private Page rows(ReadingsQuery query, ReadingsOutput output, Deadline deadline) {
    ServingStores serving = ServingStores.of(stores);
    ReadFacts facts = new ReadFacts(serving.all());
    try (RowWalk walk = walk(serving, query, query.range(), query.limit(), facts)) {
      boolean known = walk.known();
      output.begin(known);
      RowPage page = RowPage.read(walk, query.limit(), deadline, output);
      return end(query, output, known, page.stopReason(), page.last(), facts);
    }
  }

  private Page buckets(ReadingsQuery query, ReadingsOutput output, Deadline deadline) {
    ServingStores serving = ServingStores.of(stores);
    if (query.position().isEmpty()) {
      checkBuckets(serving, query);
    }
    ReadFacts facts = new ReadFacts(serving.all());
    TimeRange left = query.bucketsLeft();
    try (RowWalk walk = walk(serving, query, left, Integer.MAX_VALUE, facts)) {
      boolean known = walk.known();
      output.begin(known);
      Downsampler.Page page =
          new Downsampler(query.stepMicros(), query.aggregates(), query.order())
              .read(walk, query.limit(), deadline, output);
      Optional<ClusteringKey> last =
          page.last().isPresent()
              ? Optional.of(new ClusteringKey(page.last().getAsLong(), 0))
              : Optional.empty();
      return end(query, output, known, page.stopReason(), last, facts);
    }
  }

  private static RowWalk walk(
      ServingStores serving,
      ReadingsQuery query,
      TimeRange range,
      int rowsWanted,
      ReadFacts facts) {
    Optional<ClusteringKey> after = query.stepMicros() > 0 ? Optional.empty() : query.position();
    return new RowWalk(serving, query.sensor(), range, query.order(), after, rowsWanted, facts);
  }

  private static Page end(
      ReadingsQuery query,
      ReadingsOutput output,
      boolean known,
      StopReason stopReason,
      Optional<ClusteringKey> last,
      ReadFacts facts) {
    Optional<String> token = last.map(key -> query.next(key).text());
    PageEnd end = new PageEnd(stopReason, token, facts);
    output.end(end);
    return new Page(end, known);
  }

  /** Refuses too many buckets; without an end, those up to the sensor's newest row count. */
  private static void checkBuckets(ServingStores serving, ReadingsQuery query) {
    TimeRange range = query.range();
    if (range.toMicros() == UtcDay.END_TIMESTAMP_MICROS) {
      ReadFacts aside = new ReadFacts(serving.all());
      try (RowCursor newest =
          new RowWalk(
              serving, query.sensor(), range, Order.NEWEST_FIRST, Optional.empty(), 1, aside)) {
        if (!newest.next()) {
          return;
        }
        range = new TimeRange(range.fromMicros(), newest.timestampMicros() + 1);
      }
    }
    BucketRule.check(range, query.stepMicros(), ReadingsQuery.MAX_LIMIT);
  }

  private static Answer finish(
      Request request, ReadingsQuery query, Page page, Format format, TimeFormat times, Body body) {
    List<Header> headers = new ArrayList<>();
    page.end()
        .nextPageToken()
        .ifPresent(token -> headers.add(Links.nextHeader(PATH, request.rawQuery(), token)));
    if (format != Format.JSON) {
      headers.add(new Header("Varve-Known", String.valueOf(page.known())));
      ReadingsOutput.from(query.range())
          .ifPresent(t -> headers.add(new Header("Varve-From", PageEnd.instant(t, times))));
      ReadingsOutput.to(query.range())
          .ifPresent(t -> headers.add(new Header("Varve-To", PageEnd.instant(t, times))));
      headers.add(new Header("Varve-Order", ReadingsOutput.orderText(query.order())));
      headers.addAll(page.end().headers(times));
    }
    return new Answer(200, format.contentType(), headers, body);
  }
}
