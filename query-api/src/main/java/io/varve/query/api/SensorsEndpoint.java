package io.varve.query.api;

import io.varve.query.Stores;
import io.varve.query.plan.PageToken;
import io.varve.query.plan.ReadFacts;
import io.varve.query.plan.SensorList;
import io.varve.query.plan.ServingStores;
import io.varve.query.plan.StopReason;
import io.varve.storage.SensorId;
import io.varve.storage.SensorSummary;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code GET /v1/sensors}: the sensors with rows, by id, page by page. */
final class SensorsEndpoint implements Endpoint {
  static final String PATH = "/v1/sensors";

  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 10_000;
  private static final Set<String> PARAMETERS =
      Set.of("prefix", "limit", "page_token", "ts", "format", "spreadsheet");

  private final Stores stores;
  private final Admission admission;

  SensorsEndpoint(Stores stores, Admission admission) {
    this.stores = stores;
    this.admission = admission;
  }

  @Override
  public Answer answer(Request request, Body body) {
    Parameters parameters = Parameters.parse(request.rawQuery(), PARAMETERS, Set.of());
    Format format = Format.of(parameters, request);
    TimeFormat times = parameters.timeFormat();
    boolean neutral = parameters.word("spreadsheet", List.of("false", "true")).equals("true");
    byte[] prefix = parameters.get("prefix").orElse("").getBytes(StandardCharsets.UTF_8);
    int limit = parameters.integer("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    long fingerprint = ReadingsQuery.fingerprint(parameters, List.of("prefix"));
    Optional<SensorId> after = after(parameters, fingerprint);
    parameters.check();
    return admission.run(
        () -> {
          ServingStores serving = ServingStores.of(stores);
          ReadFacts facts = new ReadFacts(serving.all());
          facts.readsAll();
          SensorList list = SensorList.read(serving, prefix, after, limit);
          PageEnd end = end(list, fingerprint, facts);
          write(list, end, format, body, times, neutral);
          return new Answer(200, format.contentType(), headers(request, end, format, times), body);
        });
  }

  private static Optional<SensorId> after(Parameters parameters, long fingerprint) {
    Optional<String> text = parameters.get("page_token");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<PageToken> token = PageToken.parse(text.get());
    if (token.isEmpty()) {
      ReadingsQuery.damaged(parameters);
    } else if (token.get() instanceof PageToken.Sensors sensors
        && sensors.fingerprint() == fingerprint) {
      return Optional.of(sensors.after());
    } else {
      ReadingsQuery.foreign(parameters);
    }
    return Optional.empty();
  }

  private static PageEnd end(SensorList list, long fingerprint, ReadFacts facts) {
    if (!list.more()) {
      return new PageEnd(StopReason.EXHAUSTED, Optional.empty(), facts);
    }
    SensorId last = list.sensors().get(list.sensors().size() - 1).sensor();
    String token = new PageToken.Sensors(last, fingerprint).text();
    return new PageEnd(StopReason.LIMIT, Optional.of(token), facts);
  }

  private static List<Header> headers(
      Request request, PageEnd end, Format format, TimeFormat times) {
    List<Header> headers = new ArrayList<>();
    end.nextPageToken()
        .ifPresent(token -> headers.add(Links.nextHeader(PATH, request.rawQuery(), token)));
    if (format != Format.JSON) {
      headers.addAll(end.headers(times));
    }
    return headers;
  }

  private static void write(
      SensorList list, PageEnd end, Format format, Body body, TimeFormat times, boolean neutral) {
    switch (format) {
      case JSON -> {
        try (JsonBody json = JsonBody.of(body, times)) {
          json.startObject().startArray("sensors");
          list.sensors().forEach(summary -> write(json, summary));
          json.endArray();
          end.write(json);
          json.endObject();
        }
      }
      case NDJSON -> {
        try (JsonBody json = JsonBody.lines(body, times)) {
          list.sensors().forEach(summary -> write(json, summary));
        }
        if (body.length() > 0) {
          body.write('\n');
        }
      }
      case CSV -> {
        CsvBody csv = new CsvBody(body, times, neutral);
        csv.plain("sensor_id").plain("first_day").plain("last_day").plain("rows");
        csv.plain("last_timestamp").plain("last_value").plain("last_sequence").endLine();
        list.sensors().forEach(summary -> write(csv, summary));
      }
    }
  }

  private static void write(JsonBody json, SensorSummary summary) {
    json.startObject()
        .sensorId(summary.sensor())
        .text("first_day", day(summary.firstDay()))
        .text("last_day", day(summary.lastDay()))
        .number("rows", summary.rows())
        .row("last", summary.last())
        .text(
            "readings",
            ReadingsEndpoint.PATH + "?sensor_id=" + Links.encode(summary.sensor().toString()))
        .endObject();
  }

  private static void write(CsvBody csv, SensorSummary summary) {
    csv.text(summary.sensor().toString())
        .plain(day(summary.firstDay()))
        .plain(day(summary.lastDay()))
        .number(summary.rows())
        .instant(summary.last().timestampMicros())
        .value(summary.last().value())
        .number(summary.last().sequence())
        .endLine();
  }

  private static String day(int day) {
    return LocalDate.ofEpochDay(day).toString();
  }
}
