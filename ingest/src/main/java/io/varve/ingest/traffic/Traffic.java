package io.varve.ingest.traffic;

import io.varve.storage.SensorId;
import io.varve.storage.TrafficWatch;
import io.varve.storage.placement.ShardCounts;
import io.varve.storage.rows.RowPack;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The traffic of one node's stores: always measured, from samples of about {@value
 * #SAMPLES_A_SECOND} rows and as many reads a second, so at a cost that does not grow with the
 * load. Thread-safe.
 */
public final class Traffic {
  private static final int SAMPLES_A_SECOND = 4_096;
  private static final int BLOCK_BYTES = 4_096;

  private final InstantSource clock;
  private final PartitionTraffic writes = new PartitionTraffic();
  private final PartitionTraffic reads = new PartitionTraffic();
  private final SampleRate writeSamples = new SampleRate(SAMPLES_A_SECOND);
  private final SampleRate readSamples = new SampleRate(SAMPLES_A_SECOND);
  private final SensorRates rates;

  /**
   * @param shardRate rows a second that a shard may take, in event time
   * @param plans how many shards a sensor has at an instant
   */
  public Traffic(int shardRate, ShardCounts plans, InstantSource clock) {
    this.rates = new SensorRates(shardRate, plans);
    this.clock = clock;
  }

  private long second() {
    return Math.floorDiv(clock.millis(), 1_000L);
  }

  /** Makes the watch of one store. */
  public TrafficWatch ofStore() {
    return new StoreWatch();
  }

  /** Gaps are random: a stride would show one sensor only where several take turns. */
  private static int gap(SampleRate rate) {
    int stride = rate.stride();
    return stride == 1 ? 1 : ThreadLocalRandom.current().nextInt(1, 2 * stride);
  }

  private final class StoreWatch implements TrafficWatch {
    @Override
    public int rowsUntilShown() {
      return gap(writeSamples);
    }

    @Override
    public void written(SensorId sensor, int day, int shard, long timestampMicros, int standsFor) {
      long now = second();
      writeSamples.count(now, standsFor);
      long bytes = (long) standsFor * (sensor.length() + RowPack.USUAL_BYTES_BESIDE_ID);
      writes.add(now, new PartitionKey(sensor, day), standsFor, bytes, standsFor);
      rates.add(sensor, shard, timestampMicros, standsFor, now);
    }

    @Override
    public void read(SensorId sensor, int day, long rows, long blocks) {
      int stride = readSamples.stride();
      if (stride > 1 && ThreadLocalRandom.current().nextInt(stride) != 0) {
        return;
      }
      long now = second();
      readSamples.count(now, stride);
      reads.add(
          now, new PartitionKey(sensor, day), rows * stride, blocks * BLOCK_BYTES * stride, stride);
    }
  }

  /** Returns what was written most over some whole seconds, up to a minute. */
  public Busiest writes(int seconds, int most) {
    return writes.before(second(), seconds, most);
  }

  /** Returns what was read most; a block that was looked at counts 4 KiB. */
  public Busiest reads(int seconds, int most) {
    return reads.before(second(), seconds, most);
  }

  /** Returns what sensors send of which a shard takes much, or that have several. */
  public List<SensorRate> rates() {
    return rates.rates(second());
  }
}
