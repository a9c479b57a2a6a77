package io.varve.load.streams;

import io.varve.load.target.Queries;
import io.varve.load.target.QueryException;
import io.varve.load.target.RowPage;
import io.varve.load.target.RowsQuery;
import io.varve.load.target.TargetStatus;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Questions to the application's stores, by range scans in this process. A sensor's readings travel
 * on one topic partition, so one store has all of them. A page token is the key of the last row.
 */
final class StreamsQueries implements Queries {
  private final KafkaStreams streams;
  private final String topic;
  private final Counts counts;

  StreamsQueries(KafkaStreams streams, String topic, Counts counts) {
    this.streams = streams;
    this.topic = topic;
    this.counts = counts;
  }

  private ReadOnlyKeyValueStore<byte[], byte[]> store() {
    return streams.store(
        StoreQueryParameters.fromNameAndType(
            RowsProcessor.STORE, QueryableStoreTypes.keyValueStore()));
  }

  /** Opens a scan over rows of {@code [from, to)}, both in micros. */
  private KeyValueIterator<byte[], byte[]> scan(
      String sensor, long from, long to, boolean newestFirst, Optional<String> token) {
    // Later rows have smaller keys: the row just before `to` is where the newest-first scan begins.
    byte[] newest = RowKey.of(sensor, to == Long.MAX_VALUE ? to : to - 1, Long.MAX_VALUE);
    byte[] oldest = RowKey.of(sensor, from, Long.MIN_VALUE);
    if (token.isPresent()) {
      byte[] last = HexFormat.of().parseHex(token.get());
      if (newestFirst) {
        newest = RowKey.after(last);
      } else {
        oldest = RowKey.before(last);
      }
    }
    return newestFirst ? store().range(newest, oldest) : store().reverseRange(newest, oldest);
  }

  /** Runs a walk over stores, which a rebalance may close meanwhile. */
  private static void answered(Runnable walk) throws QueryException {
    try {
      walk.run();
    } catch (InvalidStateStoreException e) {
      throw new QueryException(true, "the stores do not answer now: " + e.getMessage(), e);
    }
  }

  @Override
  public void rows(RowsQuery query, Optional<String> token, RowPage page) throws QueryException {
    answered(() -> walkRows(query, token, page));
  }

  private void walkRows(RowsQuery query, Optional<String> token, RowPage page) {
    page.clear();
    long from = query.fromMicros().orElse(Long.MIN_VALUE);
    long to = query.toMicros().orElse(Long.MAX_VALUE);
    byte[] last = new byte[0];
    try (KeyValueIterator<byte[], byte[]> rows =
        scan(query.sensor(), from, to, query.newestFirst(), token)) {
      while (page.size() < query.limit() && rows.hasNext()) {
        KeyValue<byte[], byte[]> row = rows.next();
        last = row.key;
        add(page, row);
      }
      boolean more = page.size() == query.limit() && rows.hasNext();
      page.end(more ? Optional.of(HexFormat.of().formatHex(last)) : Optional.empty(), true);
    }
  }

  private static void add(RowPage page, KeyValue<byte[], byte[]> row) {
    page.add(
        RowKey.timestampMicros(row.key),
        RowKey.sequence(row.key),
        ByteBuffer.wrap(row.value).getLong());
  }

  @Override
  public void buckets(String sensor, long fromMicros, long toMicros, long stepMicros, RowPage page)
      throws QueryException {
    answered(() -> walkBuckets(sensor, fromMicros, toMicros, stepMicros, page));
  }

  private void walkBuckets(
      String sensor, long fromMicros, long toMicros, long stepMicros, RowPage page) {
    page.clear();
    try (KeyValueIterator<byte[], byte[]> rows =
        scan(sensor, fromMicros, toMicros, true, Optional.empty())) {
      long step = NONE;
      double sum = 0;
      long count = 0;
      while (rows.hasNext()) {
        KeyValue<byte[], byte[]> row = rows.next();
        long at = Math.floorDiv(RowKey.timestampMicros(row.key), stepMicros) * stepMicros;
        if (at != step && count > 0) {
          page.add(step, 0, Double.doubleToRawLongBits(sum / count));
          sum = 0;
          count = 0;
        }
        step = at;
        sum += ByteBuffer.wrap(row.value).getDouble();
        count++;
      }
      if (count > 0) {
        page.add(step, 0, Double.doubleToRawLongBits(sum / count));
      }
    }
    page.end(Optional.empty(), true);
  }

  @Override
  public void latest(List<String> sensors, RowPage page) throws QueryException {
    answered(() -> walkLatest(sensors, page));
  }

  private void walkLatest(List<String> sensors, RowPage page) {
    page.clear();
    for (String sensor : sensors) {
      try (KeyValueIterator<byte[], byte[]> rows =
          scan(sensor, Long.MIN_VALUE, Long.MAX_VALUE, true, Optional.empty())) {
        if (rows.hasNext()) {
          add(page, rows.next());
        } else {
          page.add(NONE, 0, 0);
        }
      }
    }
    page.end(Optional.empty(), true);
  }

  /** Lag as the consumers know it; rows that replaced others count as stored too. */
  @Override
  public Optional<TargetStatus> status() {
    TreeMap<String, Long> lag = new TreeMap<>();
    String version = "";
    for (Map.Entry<MetricName, ? extends Metric> each : streams.metrics().entrySet()) {
      MetricName name = each.getKey();
      if (name.name().equals("records-lag")
          && topic.equals(name.tags().get("topic"))
          && each.getValue().metricValue() instanceof Double records
          && !records.isNaN()) {
        lag.merge(topic + "-" + name.tags().get("partition"), records.longValue(), Math::max);
      } else if (name.name().equals("version") && name.group().equals("stream-metrics")) {
        version = String.valueOf(each.getValue().metricValue());
      }
    }
    return Optional.of(
        new TargetStatus(
            lag,
            counts.stored.sum(),
            0,
            0,
            counts.refused.sum(),
            Map.of(),
            counts.undecodable.sum(),
            "kafka-streams " + version));
  }

  @Override
  public void close() {}
}
