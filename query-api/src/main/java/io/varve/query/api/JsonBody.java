package io.varve.query.api;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import io.varve.query.plan.Aggregate;
import io.varve.query.plan.Bucket;
import io.varve.schemas.Rfc3339;
import io.varve.storage.Freshness;
import io.varve.storage.ReadStats;
import io.varve.storage.Row;
import io.varve.storage.SensorId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * JSON text streamed into a {@link Body}; allocates nothing for a row. Single-threaded; one for
 * each answer.
 *
 * <p>Doubles read back to the same bits; NaN and the infinities are the strings "NaN", "Infinity"
 * and "-Infinity".
 */
final class JsonBody implements AutoCloseable {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final SerializableString SENSOR_ID = new SerializedString("sensor_id");
  private static final SerializableString TIMESTAMP = new SerializedString("timestamp");
  private static final SerializableString VALUE = new SerializedString("value");
  private static final SerializableString SEQUENCE = new SerializedString("sequence");

  private final JsonGenerator json;
  private final TimeFormat times;
  private final byte[] timeText = new byte[Rfc3339.LENGTH];
  private final char[] numberText = new char[DoubleText.MAX_LENGTH];

  private JsonBody(JsonGenerator json, TimeFormat times) {
    this.json = json;
    this.times = times;
  }

  /** Begins one JSON text. */
  static JsonBody of(Body body, TimeFormat times) {
    try {
      return new JsonBody(FACTORY.createGenerator(body, JsonEncoding.UTF8), times);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Begins JSON texts, each on a line of its own. */
  static JsonBody lines(Body body, TimeFormat times) {
    JsonBody lines = of(body, times);
    lines.json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
    return lines;
  }

  /** One step of writing; memory does not fail, so neither does it. */
  private interface Step {
    void run() throws IOException;
  }

  private static void write(Step step) {
    try {
      step.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JsonBody startObject() {
    write(json::writeStartObject);
    return this;
  }

  JsonBody endObject() {
    write(json::writeEndObject);
    return this;
  }

  JsonBody startArray(String name) {
    write(() -> json.writeArrayFieldStart(name));
    return this;
  }

  JsonBody endArray() {
    write(json::writeEndArray);
    return this;
  }

  JsonBody text(String name, String value) {
    write(() -> json.writeStringField(name, value));
    return this;
  }

  JsonBody element(String value) {
    write(() -> json.writeString(value));
    return this;
  }

  JsonBody flag(String name, boolean value) {
    write(() -> json.writeBooleanField(name, value));
    return this;
  }

  JsonBody number(String name, long value) {
    write(() -> json.writeNumberField(name, value));
    return this;
  }

  JsonBody startObject(String name) {
    write(() -> json.writeObjectFieldStart(name));
    return this;
  }

  JsonBody textOrNull(String name, Optional<String> value) {
    write(
        () -> {
          json.writeFieldName(name);
          if (value.isPresent()) {
            json.writeString(value.get());
          } else {
            json.writeNull();
          }
        });
    return this;
  }

  JsonBody instant(String name, long micros) {
    try {
      json.writeFieldName(name);
      writeInstant(micros);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** An instant, or null where there is none. */
  JsonBody instantOrNull(String name, OptionalLong micros) {
    if (micros.isPresent()) {
      return instant(name, micros.getAsLong());
    }
    write(() -> json.writeNullField(name));
    return this;
  }

  JsonBody sensorId(SensorId sensor) {
    return text("sensor_id", sensor.toString());
  }

  /** A row as an object: timestamp, value, and sequence unless it is 0. */
  void row(long timestampMicros, long sequence, double value) {
    try {
      json.writeStartObject();
      writeRowMembers(timestampMicros, sequence, value);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A row as a member. */
  JsonBody row(String name, Row row) {
    write(() -> json.writeFieldName(name));
    row(row.timestampMicros(), row.sequence(), row.value());
    return this;
  }

  /** A row with the sensor that it belongs to. */
  void row(SensorId sensor, long timestampMicros, long sequence, double value) {
    try {
      json.writeStartObject();
      json.writeFieldName(SENSOR_ID);
      json.writeUTF8String(sensor.utf8(), 0, sensor.length());
      writeRowMembers(timestampMicros, sequence, value);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void writeRowMembers(long timestampMicros, long sequence, double value)
      throws IOException {
    json.writeFieldName(TIMESTAMP);
    writeInstant(timestampMicros);
    json.writeFieldName(VALUE);
    writeDouble(value);
    if (sequence != 0) {
      json.writeFieldName(SEQUENCE);
      json.writeNumber(sequence);
    }
  }

  /**
   * A bucket as an object: timestamp, then {@code value} for one aggregate or a member for each of
   * several, and {@code partial} where its rows may be incomplete.
   */
  void bucket(long startMicros, Bucket bucket, Aggregate[] aggregates, boolean partial) {
    try {
      json.writeStartObject();
      json.writeFieldName(TIMESTAMP);
      writeInstant(startMicros);
      for (Aggregate aggregate : aggregates) {
        json.writeFieldName(aggregates.length == 1 ? "value" : aggregate.text());
        if (aggregate == Aggregate.COUNT) {
          json.writeNumber(bucket.count());
        } else {
          writeDouble(bucket.value(aggregate));
        }
      }
      if (partial) {
        json.writeBooleanField("partial", true);
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void writeInstant(long micros) throws IOException {
    if (times == TimeFormat.RFC3339) {
      Rfc3339.write(micros, timeText, 0);
      json.writeRawUTF8String(timeText, 0, Rfc3339.LENGTH);
    } else {
      json.writeNumber(times.number(micros));
    }
  }

  private void writeDouble(double value) throws IOException {
    if (Double.isFinite(value)) {
      json.writeNumber(numberText, 0, DoubleText.write(value, numberText, 0));
    } else {
      json.writeString(Double.toString(value));
    }
  }

  /** What the answer cost. */
  JsonBody stats(ReadStats stats) {
    return startObject("stats")
        .number("days", stats.days)
        .number("shards", stats.shards)
        .number("blocks", stats.blocks)
        .number("rows_decoded", stats.rowsDecoded)
        .endObject();
  }

  /** How fresh the stores are. */
  JsonBody freshness(List<Freshness> stores) {
    startObject("freshness").startArray("applied");
    OptionalLong eventTime = OptionalLong.empty();
    for (Freshness store : stores) {
      startObject().number("topic_partition", store.topicPartition());
      if (store.appliedOffset().isPresent()) {
        number("offset", store.appliedOffset().getAsLong());
      } else {
        write(() -> json.writeNullField("offset"));
      }
      endObject();
      eventTime = later(eventTime, store.eventTimeMicros());
    }
    return endArray().instantOrNull("event_time", eventTime).endObject();
  }

  static OptionalLong later(OptionalLong a, OptionalLong b) {
    return a.isEmpty() || (b.isPresent() && b.getAsLong() > a.getAsLong()) ? b : a;
  }

  /** A tree of maps, lists, texts, numbers and booleans. */
  JsonBody tree(Object node) {
    write(() -> writeTree(node));
    return this;
  }

  private void writeTree(Object node) throws IOException {
    if (node instanceof Map<?, ?> map) {
      json.writeStartObject();
      for (Map.Entry<?, ?> member : map.entrySet()) {
        json.writeFieldName(String.valueOf(member.getKey()));
        writeTree(member.getValue());
      }
      json.writeEndObject();
    } else if (node instanceof Iterable<?> list) {
      json.writeStartArray();
      for (Object element : list) {
        writeTree(element);
      }
      json.writeEndArray();
    } else if (node instanceof Double || node instanceof Float) {
      writeDouble(((Number) node).doubleValue());
    } else if (node instanceof Number number) {
      json.writeNumber(number.longValue());
    } else if (node instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else {
      json.writeString(String.valueOf(node));
    }
  }

  @Override
  public void close() {
    write(json::close);
  }
}
