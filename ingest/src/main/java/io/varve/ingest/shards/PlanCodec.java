package io.varve.ingest.shards;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.varve.schemas.Rfc3339;
import io.varve.schemas.TimeText;
import io.varve.storage.SensorId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Codec of the records of the topic of shard plans, which people read with their usual tools.
 *
 * <pre>
 *   key    plant-3/temp 2024-06-01T12:00:05.000000Z          sensor id, space, effective from
 *   value  {"sensor_id": "plant-3/temp", "effective_from": "2024-06-01T12:00:05.000000Z",
 *           "shards": 8, "revision": 3, "reason": "…", "decided_at": "2024-06-01T12:00:00.000000Z"}
 * </pre>
 *
 * <p>An instant has no space, so the last one of a key is the one between, whatever the sensor is
 * called. Further members of a value are skipped. A record without a value takes the plan of its
 * key away.
 */
final class PlanCodec {
  private static final int MAX_SHOWN = 80;

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private PlanCodec() {}

  /** A record that is no shard plan, and why. */
  static final class NoPlanException extends Exception {
    private static final long serialVersionUID = 1L;

    NoPlanException(String why) {
      super(why);
    }
  }

  static byte[] key(ShardPlan plan) {
    return (plan.sensor() + " " + Rfc3339.format(plan.effectiveFromMicros()))
        .getBytes(StandardCharsets.UTF_8);
  }

  static byte[] value(ShardPlan plan) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeStringField("sensor_id", plan.sensor().toString());
      json.writeStringField("effective_from", Rfc3339.format(plan.effectiveFromMicros()));
      json.writeNumberField("shards", plan.shards());
      json.writeNumberField("revision", plan.revision());
      json.writeStringField("reason", plan.reason());
      json.writeStringField("decided_at", Rfc3339.format(plan.decidedAtMicros()));
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return bytes.toByteArray();
  }

  /**
   * Reads a key.
   *
   * @throws NoPlanException if it is not what {@link #key} writes
   */
  static PlanKey key(byte[] key) throws NoPlanException {
    String text = new String(key, StandardCharsets.UTF_8);
    int space = text.lastIndexOf(' ');
    if (space < 1) {
      throw new NoPlanException("key is no sensor id and time: key=" + shown(text));
    }
    return new PlanKey(sensor(text.substring(0, space)), instant("key", text.substring(space + 1)));
  }

  /**
   * Reads a record.
   *
   * @throws NoPlanException if it is none of a plan, or its key is another plan's
   */
  static ShardPlan plan(byte[] key, byte[] value) throws NoPlanException {
    PlanKey named = key(key);
    ShardPlan plan = value(value);
    if (!PlanKey.of(plan).equals(named)) {
      throw new NoPlanException(
          "key names another plan: key=" + shown(new String(key, StandardCharsets.UTF_8)));
    }
    return plan;
  }

  private static ShardPlan value(byte[] value) throws NoPlanException {
    Members members = new Members();
    try (JsonParser json = JSON.createParser(value)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new NoPlanException("value is no JSON object");
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        members.read(json);
      }
      if (json.nextToken() != null) {
        throw new NoPlanException("value goes on after its JSON object");
      }
    } catch (IOException e) {
      throw new NoPlanException("value is not well-formed JSON");
    }
    return members.plan();
  }

  /** The members of a value that have been read so far. */
  private static final class Members {
    private Optional<SensorId> sensor = Optional.empty();
    private Optional<Long> effectiveFrom = Optional.empty();
    private Optional<Long> decidedAt = Optional.empty();
    private String reason = "";
    private int shards;
    private long revision;

    void read(JsonParser json) throws IOException, NoPlanException {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "sensor_id" -> sensor = Optional.of(PlanCodec.sensor(text(name, json)));
        case "effective_from" -> effectiveFrom = Optional.of(instant(name, text(name, json)));
        case "decided_at" -> decidedAt = Optional.of(instant(name, text(name, json)));
        case "reason" -> reason = text(name, json);
        case "shards" -> shards = (int) Math.min(number(name, json), Integer.MAX_VALUE);
        case "revision" -> revision = number(name, json);
        default -> json.skipChildren();
      }
    }

    private static String text(String name, JsonParser json) throws IOException, NoPlanException {
      if (json.currentToken() != JsonToken.VALUE_STRING) {
        throw new NoPlanException(name + " is no text");
      }
      return json.getText();
    }

    private static long number(String name, JsonParser json) throws IOException, NoPlanException {
      if (json.currentToken() != JsonToken.VALUE_NUMBER_INT || json.getLongValue() < 1) {
        throw new NoPlanException(name + " is no number from 1 on");
      }
      return json.getLongValue();
    }

    ShardPlan plan() throws NoPlanException {
      if (sensor.isEmpty() || effectiveFrom.isEmpty() || shards == 0 || revision == 0) {
        throw new NoPlanException("sensor_id, effective_from, shards and revision are needed");
      }
      try {
        return new ShardPlan(
            sensor.get(),
            effectiveFrom.get(),
            shards,
            revision,
            reason,
            decidedAt.orElse(effectiveFrom.get()));
      } catch (IllegalArgumentException e) {
        throw new NoPlanException("out of range: " + e.getMessage());
      }
    }
  }

  private static SensorId sensor(String text) throws NoPlanException {
    try {
      return SensorId.of(text);
    } catch (IllegalArgumentException e) {
      throw new NoPlanException(e.getMessage() + ": " + shown(text));
    }
  }

  private static long instant(String name, String text) throws NoPlanException {
    try {
      return TimeText.parse(text);
    } catch (TimeText.Invalid e) {
      throw new NoPlanException(name + " " + e.reason() + ": " + shown(text));
    }
  }

  private static String shown(String text) {
    return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…";
  }
}
