package io.varve.ingest.route;

import java.time.InstantSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * When a record came in: its append time where the topic has LogAppendTime, else the clock of the
 * node that routes it. A producer's clock is never asked, so no record is skipped or checked by it.
 */
public final class ArrivalTime implements TimestampExtractor {
  private final InstantSource clock;

  public ArrivalTime(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    return of(record, clock.millis());
  }

  /** Returns when a record came in, {@code clockMillis} being what the clock says. */
  static long of(ConsumerRecord<?, ?> record, long clockMillis) {
    return record.timestampType() == TimestampType.LOG_APPEND_TIME && record.timestamp() >= 0
        ? record.timestamp()
        : clockMillis;
  }
}
