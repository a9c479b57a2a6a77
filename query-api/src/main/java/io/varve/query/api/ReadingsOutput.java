package io.varve.query.api;

import io.varve.query.plan.Aggregate;
import io.varve.query.plan.Bucket;
import io.varve.query.plan.BucketSink;
import io.varve.query.plan.RowSink;
import io.varve.schemas.Durations;
import io.varve.storage.Order;
import io.varve.storage.TimeRange;
import io.varve.storage.UtcDay;
import java.util.OptionalLong;

/** One page of {@code /v1/readings} in one format. Single-threaded. */
abstract class ReadingsOutput implements RowSink, BucketSink {
  private final ReadingsQuery query;
  private final long nowMicros;

  /** Aggregates in the order asked. */
  final Aggregate[] aggregates;

  private ReadingsOutput(ReadingsQuery query, long nowMicros) {
    this.query = query;
    this.nowMicros = nowMicros;
    this.aggregates = query.aggregates().toArray(new Aggregate[0]);
  }

  static ReadingsOutput of(
      Format format, ReadingsQuery query, long nowMicros, Body body, TimeFormat times) {
    return switch (format) {
      case JSON -> new Json(query, nowMicros, body, times);
      case NDJSON -> new Lines(query, nowMicros, body, times);
      case CSV -> new Csv(query, nowMicros, body, times);
    };
  }

  /** Begins the page. */
  abstract void begin(boolean known);

  /** Ends the page. */
  abstract void end(PageEnd end);

  /** The range's first instant; empty when it has no bound. */
  static OptionalLong from(TimeRange range) {
    return range.fromMicros() == UtcDay.MIN_TIMESTAMP_MICROS
        ? OptionalLong.empty()
        : OptionalLong.of(range.fromMicros());
  }

  /** The range's first instant past the end; empty when it has no bound. */
  static OptionalLong to(TimeRange range) {
    return range.toMicros() == UtcDay.END_TIMESTAMP_MICROS
        ? OptionalLong.empty()
        : OptionalLong.of(range.toMicros());
  }

  static String orderText(Order order) {
    return order == Order.NEWEST_FIRST ? "desc" : "asc";
  }

  /** Tells whether a bucket reaches beyond the range, or into the future. */
  boolean isPartial(long startMicros) {
    long endMicros = startMicros + query.stepMicros();
    return startMicros < query.range().fromMicros()
        || endMicros > query.range().toMicros()
        || endMicros > nowMicros;
  }

  private static final class Json extends ReadingsOutput {
    private final ReadingsQuery query;
    private final JsonBody json;

    Json(ReadingsQuery query, long nowMicros, Body body, TimeFormat times) {
      super(query, nowMicros);
      this.query = query;
      this.json = JsonBody.of(body, times);
    }

    @Override
    void begin(boolean known) {
      json.startObject()
          .sensorId(query.sensor())
          .flag("known", known)
          .instantOrNull("from", from(query.range()))
          .instantOrNull("to", to(query.range()))
          .text("order", orderText(query.order()));
      if (query.stepMicros() > 0) {
        json.text("step", Durations.format(query.stepMicros())).startArray("agg");
        for (Aggregate aggregate : aggregates) {
          json.element(aggregate.text());
        }
        json.endArray();
      }
      json.startArray("rows");
    }

    @Override
    public void row(long timestampMicros, long sequence, double value) {
      json.row(timestampMicros, sequence, value);
    }

    @Override
    public void bucket(long startMicros, Bucket bucket) {
      json.bucket(startMicros, bucket, aggregates, isPartial(startMicros));
    }

    @Override
    void end(PageEnd end) {
      json.endArray();
      end.write(json);
      json.endObject().close();
    }
  }

  private static final class Lines extends ReadingsOutput {
    private final JsonBody json;
    private final Body body;

    Lines(ReadingsQuery query, long nowMicros, Body body, TimeFormat times) {
      super(query, nowMicros);
      this.json = JsonBody.lines(body, times);
      this.body = body;
    }

    @Override
    void begin(boolean known) {}

    @Override
    public void row(long timestampMicros, long sequence, double value) {
      json.row(timestampMicros, sequence, value);
    }

    @Override
    public void bucket(long startMicros, Bucket bucket) {
      json.bucket(startMicros, bucket, aggregates, isPartial(startMicros));
    }

    @Override
    void end(PageEnd end) {
      json.close();
      if (body.length() > 0) {
        body.write('\n');
      }
    }
  }

  private static final class Csv extends ReadingsOutput {
    private final CsvBody csv;

    Csv(ReadingsQuery query, long nowMicros, Body body, TimeFormat times) {
      super(query, nowMicros);
      this.csv = new CsvBody(body, times, false);
    }

    @Override
    void begin(boolean known) {
      csv.plain("timestamp");
      if (aggregates.length == 0) {
        csv.plain("value").plain("sequence");
      } else {
        for (Aggregate aggregate : aggregates) {
          csv.plain(aggregates.length == 1 ? "value" : aggregate.text());
        }
        csv.plain("partial");
      }
      csv.endLine();
    }

    @Override
    public void row(long timestampMicros, long sequence, double value) {
      csv.instant(timestampMicros).value(value).number(sequence).endLine();
    }

    @Override
    public void bucket(long startMicros, Bucket bucket) {
      csv.instant(startMicros);
      for (Aggregate aggregate : aggregates) {
        if (aggregate == Aggregate.COUNT) {
          csv.number(bucket.count());
        } else {
          csv.value(bucket.value(aggregate));
        }
      }
      csv.plain(isPartial(startMicros) ? "true" : "false").endLine();
    }

    @Override
    void end(PageEnd end) {}
  }
}
