package io.varve.query.api;

import io.varve.storage.SensorId;

/** The answer of {@code /v1/latest} in one format. Single-threaded. */
interface LatestOutput {
  void begin();

  /** Puts a sensor's newest row. */
  void row(SensorId sensor, long timestampMicros, long sequence, double value);

  /** Puts a sensor without rows. */
  void unknown(SensorId sensor);

  void end(PageEnd end);

  static LatestOutput of(Format format, Body body, TimeFormat times, boolean neutral) {
    return switch (format) {
      case JSON -> new Json(JsonBody.of(body, times));
      case NDJSON -> new Lines(JsonBody.lines(body, times), body);
      case CSV -> new Csv(new CsvBody(body, times, neutral));
    };
  }

  /** One JSON object. */
  record Json(JsonBody json) implements LatestOutput {
    @Override
    public void begin() {
      json.startObject().startArray("rows");
    }

    @Override
    public void row(SensorId sensor, long timestampMicros, long sequence, double value) {
      json.row(sensor, timestampMicros, sequence, value);
    }

    @Override
    public void unknown(SensorId sensor) {
      json.startObject().sensorId(sensor).flag("known", false).endObject();
    }

    @Override
    public void end(PageEnd end) {
      json.endArray();
      end.write(json);
      json.endObject().close();
    }
  }

  /** A JSON object on each line. */
  record Lines(JsonBody json, Body body) implements LatestOutput {
    @Override
    public void begin() {}

    @Override
    public void row(SensorId sensor, long timestampMicros, long sequence, double value) {
      json.row(sensor, timestampMicros, sequence, value);
    }

    @Override
    public void unknown(SensorId sensor) {
      json.startObject().sensorId(sensor).flag("known", false).endObject();
    }

    @Override
    public void end(PageEnd end) {
      json.close();
      if (body.length() > 0) {
        body.write('\n');
      }
    }
  }

  /** CSV; a sensor without rows has empty cells. */
  record Csv(CsvBody csv) implements LatestOutput {
    @Override
    public void begin() {
      csv.plain("sensor_id").plain("timestamp").plain("value").plain("sequence").endLine();
    }

    @Override
    public void row(SensorId sensor, long timestampMicros, long sequence, double value) {
      csv.text(sensor.toString()).instant(timestampMicros).value(value).number(sequence).endLine();
    }

    @Override
    public void unknown(SensorId sensor) {
      csv.text(sensor.toString()).plain("").plain("").plain("").endLine();
    }

    @Override
    public void end(PageEnd end) {}
  }
}
