package io.varve.server.scan;

import io.varve.schemas.ReadingDecoder;
import io.varve.schemas.ReadingSink;
import io.varve.schemas.Undecodable;
import io.varve.schemas.WriterSchemas;
import io.varve.server.advise.ReplayFeed;
import io.varve.storage.SensorId;
import io.varve.storage.UtcDay;
import java.util.Arrays;

/**
 * The readings of one record after another, each with its part of the record's bytes: key and
 * value, divided by the readings. Single-threaded, reused.
 */
final class RecordReadings implements ReadingSink {
  private final ReadingDecoder decoder;
  private final ReplayFeed feed;
  private byte[] ids = new byte[1 << 12];
  private int[] idEnds = new int[64];
  private long[] timestamps = new long[64];
  private int count;
  private long refused;
  private long undecodable;

  RecordReadings(WriterSchemas schemas, ReplayFeed feed) {
    decoder = new ReadingDecoder(schemas);
    this.feed = feed;
  }

  void take(byte[] value, long recordBytes) throws InterruptedException {
    count = 0;
    if (decoder.decode(value, this).isPresent()) {
      undecodable++;
    }
    for (int i = 0; i < count; i++) {
      int start = i == 0 ? 0 : idEnds[i - 1];
      long bytes = recordBytes * (i + 1) / count - recordBytes * i / count;
      feed.row(ids, start, idEnds[i] - start, timestamps[i], bytes);
    }
  }

  void takeNothing() {
    undecodable++;
  }

  /** Readings without a usable id, timestamp or value. */
  long refused() {
    return refused;
  }

  /** Records that could not be decoded, or not to their end. */
  long undecodable() {
    return undecodable;
  }

  @Override
  public void reading(
      byte[] id,
      int idOffset,
      int idLength,
      boolean hasTimestamp,
      long timestampMicros,
      boolean hasValue,
      double value,
      long sequence) {
    boolean usable =
        idLength >= 0
            && SensorId.check(id, idOffset, idLength) == null
            && hasTimestamp
            && timestampMicros >= UtcDay.MIN_TIMESTAMP_MICROS
            && timestampMicros < UtcDay.END_TIMESTAMP_MICROS
            && hasValue;
    if (!usable) {
      refused++;
      return;
    }
    int start = count == 0 ? 0 : idEnds[count - 1];
    if (start + idLength > ids.length) {
      ids = Arrays.copyOf(ids, (start + idLength) * 2);
    }
    if (count == timestamps.length) {
      idEnds = Arrays.copyOf(idEnds, count * 2);
      timestamps = Arrays.copyOf(timestamps, count * 2);
    }
    System.arraycopy(id, idOffset, ids, start, idLength);
    idEnds[count] = start + idLength;
    timestamps[count++] = timestampMicros;
  }

  @Override
  public void unusable(Undecodable fault) {
    refused++;
  }
}
