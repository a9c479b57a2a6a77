package io.varve.query.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.varve.query.HttpSettings;
import io.varve.query.Stores;
import io.varve.query.api.Problem.Kind;
import io.varve.query.plan.Deadline;
import io.varve.query.plan.DeadlineExceededException;
import io.varve.query.plan.LatestRows;
import io.varve.query.plan.ReadFacts;
import io.varve.query.plan.ServingStores;
import io.varve.query.plan.StopReason;
import io.varve.storage.SensorId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** {@code GET} and {@code POST /v1/latest}: the newest row of each of many sensors. */
final class LatestEndpoint {
  static final String PATH = "/v1/latest";

  private static final int MAX_SENSORS = 10_000;
  private static final int MAX_BODY_BYTES = 8 * 1024 * 1024;
  private static final Set<String> SHAPE = Set.of("ts", "format", "timeout", "spreadsheet");
  private static final Set<String> WITH_SENSORS =
      Set.of("sensor_id", "ts", "format", "timeout", "spreadsheet");
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final String EXAMPLE = "{\"sensor_ids\": [\"plant-3/temp\"]}";

  private final HttpSettings settings;
  private final Stores stores;
  private final Admission admission;

  LatestEndpoint(HttpSettings settings, Stores stores, Admission admission) {
    this.settings = settings;
    this.stores = stores;
    this.admission = admission;
  }

  /** Sensors named in the query. */
  Answer get(Request request, Body body) {
    Parameters parameters = Parameters.parse(request.rawQuery(), WITH_SENSORS, Set.of("sensor_id"));
    List<String> texts = parameters.all("sensor_id");
    if (texts.isEmpty()) {
      parameters.required("sensor_id", "plant-3%2Ftemp");
    }
    List<SensorId> sensors = new ArrayList<>(texts.size());
    for (String text : texts) {
      sensors.add(ReadingsQuery.sensor(parameters, "sensor_id", text));
    }
    return answer(request, parameters, sensors, body);
  }

  /** Sensors named in a JSON body. */
  Answer post(Request request, Body body) {
    Parameters parameters = Parameters.parse(request.rawQuery(), SHAPE, Set.of());
    parameters.check();
    return answer(request, parameters, sensorsIn(request), body);
  }

  private Answer answer(Request request, Parameters parameters, List<SensorId> sensors, Body body) {
    Format format = Format.of(parameters, request);
    TimeFormat times = parameters.timeFormat();
    boolean neutral = parameters.word("spreadsheet", List.of("false", "true")).equals("true");
    Deadline deadline = Deadline.after(Timeouts.of(parameters, settings), System::nanoTime);
    parameters.check();
    return admission.run(
        () -> {
          LatestOutput output = LatestOutput.of(format, body, times, neutral);
          PageEnd end = read(sensors, output, deadline);
          List<Header> headers = format == Format.JSON ? List.of() : end.headers(times);
          return new Answer(200, format.contentType(), headers, body);
        });
  }

  private PageEnd read(List<SensorId> sensors, LatestOutput output, Deadline deadline) {
    ServingStores serving = ServingStores.of(stores);
    ReadFacts facts = new ReadFacts(serving.all());
    LatestRows latest = new LatestRows(serving, facts);
    output.begin();
    for (int from = 0; from < sensors.size(); from += LatestRows.MAX_SENSORS) {
      if (from > 0 && deadline.passed()) {
        throw new DeadlineExceededException("sensors read: " + from + " of " + sensors.size());
      }
      int to = Math.min(from + LatestRows.MAX_SENSORS, sensors.size());
      List<SensorId> batch = List.copyOf(sensors.subList(from, to));
      latest.find(batch);
      put(batch, latest, output);
    }
    PageEnd end = new PageEnd(StopReason.EXHAUSTED, Optional.empty(), facts);
    output.end(end);
    return end;
  }

  private static void put(List<SensorId> batch, LatestRows latest, LatestOutput output) {
    for (int i = 0; i < batch.size(); i++) {
      SensorId sensor = batch.get(i);
      if (latest.found(i)) {
        output.row(sensor, latest.timestampMicros(i), latest.sequence(i), latest.value(i));
      } else {
        output.unknown(sensor);
      }
    }
  }

  private static List<SensorId> sensorsIn(Request request) {
    String type = request.header("Content-Type").orElse("application/json");
    String media = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    if (!media.equals("application/json") && !media.endsWith("+json")) {
      throw new ProblemException(
          Problem.of(
              Kind.UNSUPPORTED_MEDIA_TYPE,
              "The body must be JSON: send Content-Type: application/json and " + EXAMPLE + "."));
    }
    String encoding = request.header("Content-Encoding").orElse("identity");
    if (!encoding.equalsIgnoreCase("identity")) {
      throw new ProblemException(
          Problem.of(
              Kind.UNSUPPORTED_MEDIA_TYPE,
              "Compressed request bodies are refused; send it without Content-Encoding."));
    }
    try {
      byte[] bytes = bounded(request);
      return parse(bytes);
    } catch (JsonProcessingException e) {
      throw new ProblemException(
          Problem.parameter(
              "body",
              "is not well-formed JSON at line "
                  + e.getLocation().getLineNr()
                  + ", column "
                  + e.getLocation().getColumnNr(),
              EXAMPLE));
    } catch (IOException e) {
      throw new UncheckedIOException("the request body could not be read", e);
    }
  }

  private static byte[] bounded(Request request) {
    byte[] bytes = bytes(request);
    if (bytes.length > MAX_BODY_BYTES) {
      throw new ProblemException(
          Problem.of(
              Kind.BODY_TOO_LARGE,
              "The body is larger than " + MAX_BODY_BYTES + " bytes; ask in several requests."));
    }
    return bytes;
  }

  private static byte[] bytes(Request request) {
    try (InputStream in = request.body()) {
      return in.readNBytes(MAX_BODY_BYTES + 1);
    } catch (IOException | RuntimeException e) {
      // A client that leaves, stalls or breaks its chunks is no fault of the server.
      throw new ProblemException(
          Problem.of(Kind.BAD_REQUEST, "The request body ended early or is not well-formed HTTP."));
    }
  }

  private static List<SensorId> parse(byte[] bytes) throws IOException {
    List<SensorId> sensors = new ArrayList<>();
    boolean named = false;
    try (JsonParser json = FACTORY.createParser(bytes)) {
      expect(json.nextToken() == JsonToken.START_OBJECT, "body", "must be a JSON object");
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        expect(
            name.equals("sensor_ids"),
            Parameters.shown(name),
            "is not a member of this request; the only one is sensor_ids");
        named = true;
        expect(
            json.nextToken() == JsonToken.START_ARRAY, "sensor_ids", "must be an array of strings");
        sensorsIn(json, sensors);
      }
      expect(json.nextToken() == null, "body", "goes on after the JSON object");
    }
    expect(named, "sensor_ids", "is missing");
    return sensors;
  }

  private static void sensorsIn(JsonParser json, List<SensorId> sensors) throws IOException {
    JsonToken token = json.nextToken();
    while (token != JsonToken.END_ARRAY) {
      if (token != JsonToken.VALUE_STRING) {
        throw refused(member(sensors), "must be a string");
      }
      if (sensors.size() == MAX_SENSORS) {
        throw refused(
            "sensor_ids", "has more than " + MAX_SENSORS + " members; ask in several requests");
      }
      String text = json.getText();
      Optional<SensorId> sensor = SensorIds.parse(text);
      if (sensor.isEmpty()) {
        throw refused(member(sensors), SensorIds.fault(text));
      }
      sensors.add(sensor.get());
      token = json.nextToken();
    }
  }

  private static String member(List<SensorId> sensors) {
    return "sensor_ids[" + sensors.size() + "]";
  }

  private static void expect(boolean holds, String member, String detail) {
    if (!holds) {
      throw refused(member, detail);
    }
  }

  private static ProblemException refused(String member, String detail) {
    return new ProblemException(Problem.parameter(member, detail, EXAMPLE));
  }
}
