package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.NewestRows;
import io.varve.storage.ReadStats;
import io.varve.storage.SensorId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads newest rows without a cursor: the last row of a partition's last block, copied under the
 * same sequence lock and checked like any other.
 *
 * <p>What a look-up costs is waiting for memory: slot, entry, block and row are rarely in a cache,
 * and each tells where the next one lies. So each such step is a loop of its own over the batch,
 * short enough for the processor to have several sensors under way at once.
 */
final class NewestReader implements NewestRows {
  private final StoreReads store;
  private final Block block = new Block();
  private final BlockCopy copy = new BlockCopy();

  private final @Nullable SensorEntry[] entries = new SensorEntry[MAX_SENSORS];
  private final SensorEntry.Fragments[] fragments = new SensorEntry.Fragments[MAX_SENSORS];
  private final int[] days = new int[MAX_SENSORS];
  private final @Nullable Partition[] partitions = new Partition[MAX_SENSORS];
  private final int[] counts = new int[MAX_SENSORS];

  private final long[] timestamps = new long[MAX_SENSORS];
  private final long[] sequences = new long[MAX_SENSORS];
  private final long[] valueBits = new long[MAX_SENSORS];

  /** Index of the row just copied. */
  private int row;

  /** Whether it is a sealed row: then the partition knows it, as it was when it was verified. */
  private boolean sealed;

  NewestReader(StoreReads store) {
    this.store = store;
  }

  @Override
  public void find(List<SensorId> sensors) {
    store.find(sensors, entries);
    for (int i = 0; i < sensors.size(); i++) {
      SensorEntry entry = entries[i];
      fragments[i] = entry == null ? SensorEntry.Fragments.NONE : entry.fragments;
    }
    for (int i = 0; i < sensors.size(); i++) {
      int last = fragments[i].size() - 1;
      days[i] = last < 0 ? NO_DAY : fragments[i].day(last);
    }
  }

  /** Begins a batch of one sensor that has been looked up. */
  void find(SensorEntry entry) {
    entries[0] = entry;
    fragments[0] = entry.fragments;
    int last = fragments[0].size() - 1;
    days[0] = last < 0 ? NO_DAY : fragments[0].day(last);
  }

  @Override
  public int day(int sensor) {
    return days[sensor];
  }

  @Override
  public long read(long sensors, ReadStats stats) {
    long found = 0;
    for (long left = sensors; left != 0; left &= left - 1) {
      int i = Long.numberOfTrailingZeros(left);
      int last = fragments[i].size() - 1;
      partitions[i] = last < 0 ? null : partition(i, last);
    }
    for (long left = sensors; left != 0; ) {
      long run = sameMap(left);
      touch(run);
      left &= ~run;
      for (; run != 0; run &= run - 1) {
        int i = Long.numberOfTrailingZeros(run);
        found |= readShards(i, stats) ? 1L << i : 0;
      }
    }
    return found;
  }

  private @Nullable Partition partition(int sensor, int fragment) {
    SensorEntry entry = entries[sensor];
    return entry == null
        ? null
        : store.partition(
            entry, fragments[sensor].day(fragment), fragments[sensor].shard(fragment));
  }

  /** The sensors from the first on whose partitions lie in one mapping. */
  private long sameMap(long sensors) {
    long run = 0;
    SegmentMap map = null;
    for (long left = sensors; left != 0; left &= left - 1) {
      Partition partition = partitions[Long.numberOfTrailingZeros(left)];
      if (run != 0 && (partition == null || partition.map != map)) {
        break;
      }
      map = partition == null ? null : partition.map;
      run |= Long.lowestOneBit(left);
    }
    return run;
  }

  /** Has the last rows of partitions of one mapping brought into the caches; tells nothing. */
  private void touch(long sensors) {
    Partition first = partitions[Long.numberOfTrailingZeros(sensors)];
    if (first == null || !first.map.acquire()) {
      return;
    }
    try {
      for (long left = sensors; left != 0; left &= left - 1) {
        int i = Long.numberOfTrailingZeros(left);
        Partition partition = partitions[i];
        int blocks = partition == null ? 0 : partition.blocks();
        if (partition != null && blocks > 0) {
          long place = partition.place(blocks - 1);
          block.at(partition.map.address(BlockDirectory.number(place)), partition.layout);
          counts[i] = BlockDirectory.isSealed(place) ? 0 : block.count();
        }
      }
      for (long left = sensors; left != 0; left &= left - 1) {
        int i = Long.numberOfTrailingZeros(left);
        Partition partition = partitions[i];
        int blocks = partition == null || counts[i] == 0 ? 0 : partition.blocks();
        if (partition != null && blocks > 0) {
          block.at(partition.address(blocks - 1), partition.layout);
          timestamps[i] = block.timestamp(counts[i] - 1);
        }
      }
    } finally {
      first.map.release();
    }
  }

  private boolean readShards(int sensor, ReadStats stats) {
    boolean found = false;
    SensorEntry.Fragments all = fragments[sensor];
    int last = all.size() - 1;
    for (int f = last; f >= 0 && all.day(f) == days[sensor]; f--) {
      stats.shards++;
      Partition partition = f == last ? partitions[sensor] : partition(sensor, f);
      while (partition != null && !partition.map.acquire()) {
        partition = partition(sensor, f);
      }
      if (partition != null && copy(partition, stats) && (!found || isNewer(sensor))) {
        found = true;
        timestamps[sensor] = copy.timestamp;
        sequences[sensor] = copy.sequence;
        valueBits[sensor] = copy.valueBits;
      }
    }
    return found;
  }

  private boolean isNewer(int sensor) {
    return Block.compare(copy.timestamp, copy.sequence, timestamps[sensor], sequences[sensor]) > 0;
  }

  /** Copies a partition's newest row, lets go of its mapping, and checks the row. */
  private boolean copy(Partition partition, ReadStats stats) {
    boolean any;
    try {
      any = copyLast(partition);
    } finally {
      partition.map.release();
    }
    if (any) {
      stats.blocks++;
      store.watch().read(partition.sensor.id, partition.map.day, 1, 1);
      try {
        stats.rowsDecoded++;
        if (!sealed) {
          copy.load(row, row, row + 1);
        }
      } catch (CorruptBlockException e) {
        throw store.damaged(
            partition.map.day,
            new CorruptBlockException(
                e.getMessage()
                    + " sensor="
                    + partition.sensor.id
                    + " day="
                    + partition.map.day
                    + " shard="
                    + partition.shard));
      }
    }
    return any;
  }

  private boolean copyLast(Partition partition) {
    while (true) {
      long version = partition.readVersion();
      boolean any = false;
      for (int index = partition.blocks() - 1; index >= 0 && !any; index--) {
        long place = partition.place(index);
        long address = partition.map.address(BlockDirectory.number(place));
        long seed = partition.layout.seed();
        sealed = BlockDirectory.isSealed(place);
        if (sealed) {
          copy.timestamp = partition.lastTimestamp();
          copy.sequence = partition.lastSequence();
          copy.valueBits = partition.sealedLastValueBits();
          any = true;
        } else {
          int n = block.at(address, partition.layout).count();
          any = n > 0;
          row = n - 1;
          if (any) {
            copy.takeRows(block, row, n, seed);
          }
        }
      }
      if (partition.unchanged(version)) {
        return any;
      }
    }
  }

  @Override
  public long timestampMicros(int sensor) {
    return timestamps[sensor];
  }

  @Override
  public long sequence(int sensor) {
    return sequences[sensor];
  }

  @Override
  public double value(int sensor) {
    return Double.longBitsToDouble(valueBits[sensor]);
  }
}
