package io.varve.server.advise;

import io.varve.storage.hash.Hashing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A sample of rows, replayed through one candidate key for each bucket width, in memory that is
 * bounded whatever the number of rows, sensors and partitions: at most about 250 MiB. Shard counts
 * need no pass of their own, since rows of a partition spread evenly over its shards.
 *
 * <p>A {@link RowGather} stands before it. Every row arrives in every width exactly once; the order
 * of rows affects the time that it takes and not what comes out, but for bounds that get wider.
 *
 * <p>Single-threaded. Ends with {@link #figures}.
 */
public final class KeyReplay {
  private static final long HOUR_MICROS = 3_600_000_000L;

  /**
   * How large the tables are; each a power of two.
   *
   * @param gathered sensors whose rows are gathered
   * @param partitions partitions kept of each width
   * @param frequent slots of each frequent-items sketch
   * @param sensors sensors kept
   * @param words runs of 64 days of one sensor kept
   */
  record Tables(int gathered, int partitions, int frequent, int sensors, int words) {
    static final Tables DEFAULT = new Tables(1 << 20, 1 << 16, 1 << 18, 1 << 16, 1 << 18);
  }

  /** What is kept for one width. */
  private static final class Track {
    final PartitionSample sample;
    final LargestPartitions largest;

    Track(Tables tables) {
      sample = new PartitionSample(tables.partitions());
      largest = new LargestPartitions(tables.frequent());
    }
  }

  private final Track[] tracks = new Track[BucketWidth.values().length];
  private final SensorSample sensors;
  private final HourTotals totals = new HourTotals();
  private final RowGather gather;
  private long rows;
  private long bytes;
  private long firstMicros = Long.MAX_VALUE;
  private long lastMicros = Long.MIN_VALUE;

  public KeyReplay() {
    this(Tables.DEFAULT);
  }

  KeyReplay(Tables tables) {
    sensors = new SensorSample(tables.sensors(), tables.words());
    for (int width = 0; width < tracks.length; width++) {
      tracks[width] = new Track(tables);
    }
    gather = new RowGather(tables.gathered(), this::take);
  }

  private void take(
      BucketWidth width, long sensor, byte[] name, long bucket, long count, long countBytes) {
    if (width == BucketWidth.HOUR) {
      totals.add(bucket, count);
    } else if (width == BucketWidth.DAY) {
      sensors.add(sensor, name, bucket, count);
    }
    Track track = tracks[width.ordinal()];
    long hash = Hashing.mix(sensor, bucket);
    track.sample.add(hash, count, countBytes);
    track.largest.add(hash, name, bucket, count, countBytes);
  }

  /** Takes one row. */
  public void row(byte[] id, int offset, int length, long timestampMicros, long rowBytes) {
    rows(id, offset, length, timestampMicros, 1, rowBytes);
  }

  /**
   * Takes several rows of one sensor within one hour.
   *
   * @param id bytes that hold the sensor id; borrowed for the call
   * @param timestampMicros time of one of them, in microseconds since 1970
   * @param count how many, more than 0
   * @param countBytes bytes of all of them
   */
  public void rows(
      byte[] id, int offset, int length, long timestampMicros, long count, long countBytes) {
    rows += count;
    bytes += countBytes;
    firstMicros = Math.min(firstMicros, timestampMicros);
    lastMicros = Math.max(lastMicros, timestampMicros);
    gather.add(
        Hashing.of(id, offset, length),
        id,
        offset,
        length,
        Math.floorDiv(timestampMicros, HOUR_MICROS),
        count,
        countBytes);
  }

  /** Rows taken so far. */
  public long rows() {
    return rows;
  }

  /**
   * Returns what the rows show.
   *
   * @throws IllegalStateException if there were none
   */
  public ReplayFigures figures() {
    if (rows == 0) {
      throw new IllegalStateException("no rows were replayed");
    }
    gather.flush();
    List<KeyFigures> keys = new ArrayList<>();
    for (BucketWidth width : BucketWidth.values()) {
      keys.add(figures(width));
    }
    long busiest = totals.busiest().orElse(0);
    return new ReplayFigures(
        rows,
        bytes,
        firstMicros,
        lastMicros,
        totals.busiest(),
        totals.in(busiest),
        totals.firstHour(),
        totals.lastHour(),
        totals.days(),
        totals.hoursOfTheDay(),
        sensors.sortedRows(),
        keys);
  }

  private static long bucketOf(BucketWidth width, long hour) {
    return width.bucketOfDay(Math.floorDiv(hour, 24));
  }

  private KeyFigures figures(BucketWidth width) {
    Track track = tracks[width.ordinal()];
    PartitionSample sample = track.sample;
    double spread = 1;
    if (width != BucketWidth.NONE) {
      long inSample =
          width == BucketWidth.HOUR
              ? totals.lastHour() - totals.firstHour() + 1
              : bucketOf(width, totals.lastHour()) - bucketOf(width, totals.firstHour()) + 1;
      spread = sensors.estimate() * Math.min(inSample, sensors.meanBuckets(width));
    }
    return new KeyFigures(
        width,
        sample.estimate(),
        sample.relativeError(),
        sample.sortedRows(),
        track.largest.largest(sample, width),
        width == BucketWidth.NONE ? 0 : Math.max(0, 1 - sample.estimate() / spread),
        SensorSample.WIDTHS.contains(width)
            ? Optional.of(sensors.sparse(width))
            : Optional.empty());
  }
}
