package io.varve.server.put;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers the rows of one file that share sensor and timestamp: 0 for the first, then 1, 2, … in
 * the file's order. Putting the same file again gives the same numbers, so it stores nothing twice.
 *
 * <p>Memory is bounded. Each sensor keeps its first and last time with their counts: in a file that
 * is ordered by time for each sensor, oldest or newest first, nothing else is ever needed. For
 * other files the last 3 to 6 million (sensor, timestamp) pairs are remembered as 64-bit
 * fingerprints, in two generations of which the older is dropped whole. A row between its sensor's
 * first and last time which is not among them, and whose sensor reaches back further than they do,
 * might repeat a forgotten one: it is not numbered ({@link #UNKNOWN}) rather than stored over
 * another.
 *
 * <p>Two pairs with one fingerprint (a chance of 1 in 10 million within a full memory) would only
 * give a lone row the number 1.
 */
final class RepeatNumbers {
  /** The answer for a row that may repeat a forgotten one. */
  static final long UNKNOWN = -1;

  private static final int PAIRS_A_GENERATION = 3 << 20;

  private static final class Sensor {
    final long hash;
    final long sinceGeneration;
    long first;
    long last;
    long countAtFirst = 1;
    long countAtLast = 1;

    Sensor(long hash, long sinceGeneration, long timestamp) {
      this.hash = hash;
      this.sinceGeneration = sinceGeneration;
      this.first = timestamp;
      this.last = timestamp;
    }
  }

  private final int pairsAGeneration;
  private final Map<String, Sensor> sensors = new HashMap<>();
  private PairCounts newer;
  private PairCounts older;
  private long generation;
  private String lastSensorId = "";
  private Sensor lastSensor = new Sensor(0, 0, 0);

  RepeatNumbers() {
    this(PAIRS_A_GENERATION);
  }

  RepeatNumbers(int pairsAGeneration) {
    this.pairsAGeneration = pairsAGeneration;
    this.newer = new PairCounts();
    this.older = new PairCounts();
  }

  /** Returns the number of a row, or {@link #UNKNOWN}. */
  long next(String sensorId, long timestamp) {
    Sensor sensor = lastSensor;
    if (!sensorId.equals(lastSensorId)) {
      Sensor known = sensors.get(sensorId);
      if (known == null) {
        Sensor added =
            new Sensor(
                mix(sensorId.hashCode() + ((long) sensors.size() << 32)), generation, timestamp);
        sensors.put(sensorId, added);
        lastSensorId = sensorId;
        lastSensor = added;
        remember(added, timestamp);
        return 0;
      }
      sensor = known;
      lastSensorId = sensorId;
      lastSensor = known;
    }
    if (timestamp > sensor.last) {
      sensor.last = timestamp;
      sensor.countAtLast = 1;
      remember(sensor, timestamp);
      return 0;
    }
    if (timestamp < sensor.first) {
      sensor.first = timestamp;
      sensor.countAtFirst = 1;
      remember(sensor, timestamp);
      return 0;
    }
    if (timestamp == sensor.last || timestamp == sensor.first) {
      return atEdge(sensor, timestamp);
    }
    return between(sensor, timestamp);
  }

  /** The counts at both edges are exact whatever was forgotten. */
  private long atEdge(Sensor sensor, long timestamp) {
    long number = timestamp == sensor.last ? sensor.countAtLast : sensor.countAtFirst;
    if (timestamp == sensor.last) {
      sensor.countAtLast = number + 1;
    }
    if (timestamp == sensor.first) {
      sensor.countAtFirst = number + 1;
    }
    count(sensor, timestamp, number + 1);
    return number;
  }

  private long between(Sensor sensor, long timestamp) {
    long pair = fingerprint(sensor, timestamp);
    int seen = newer.get(pair);
    if (seen == 0) {
      seen = older.get(pair);
    }
    boolean allRemembered = sensor.sinceGeneration >= generation - 1;
    if (seen == 0 && !allRemembered) {
      return UNKNOWN;
    }
    count(sensor, timestamp, seen + 1L);
    return seen;
  }

  private void remember(Sensor sensor, long timestamp) {
    count(sensor, timestamp, 1);
  }

  private void count(Sensor sensor, long timestamp, long count) {
    newer.put(fingerprint(sensor, timestamp), (int) Math.min(count, Integer.MAX_VALUE));
    if (newer.size() >= pairsAGeneration) {
      PairCounts dropped = older;
      older = newer;
      newer = dropped;
      newer.clear();
      generation++;
    }
  }

  private static long fingerprint(Sensor sensor, long timestamp) {
    long mixed = mix(timestamp + sensor.hash);
    return mixed == 0 ? 1 : mixed; // 0 marks a free slot
  }

  /** Spreads a number over all bits (the finalizer of MurmurHash3, Austin Appleby). */
  private static long mix(long h) {
    long x = h;
    x ^= x >>> 33;
    x *= 0xff51afd7ed558ccdL;
    x ^= x >>> 33;
    x *= 0xc4ceb9fe1a85ec53L;
    x ^= x >>> 33;
    return x;
  }

  /** Counts by fingerprint: open addressing in two arrays that double until they are big enough. */
  private static final class PairCounts {
    private long[] keys = new long[1 << 12];
    private int[] counts = new int[1 << 12];
    private int size;

    int size() {
      return size;
    }

    int get(long key) {
      return counts[slot(key)];
    }

    void put(long key, int count) {
      int slot = slot(key);
      if (keys[slot] == 0) {
        if (size >= keys.length / 4 * 3) {
          grow();
          slot = slot(key);
        }
        keys[slot] = key;
        size++;
      }
      counts[slot] = count;
    }

    private int slot(long key) {
      int mask = keys.length - 1;
      int slot = (int) key & mask;
      while (keys[slot] != 0 && keys[slot] != key) {
        slot = (slot + 1) & mask;
      }
      return slot;
    }

    private void grow() {
      long[] oldKeys = keys;
      int[] oldCounts = counts;
      keys = new long[oldKeys.length * 2];
      counts = new int[oldKeys.length * 2];
      for (int i = 0; i < oldKeys.length; i++) {
        if (oldKeys[i] != 0) {
          int slot = slot(oldKeys[i]);
          keys[slot] = oldKeys[i];
          counts[slot] = oldCounts[i];
        }
      }
    }

    void clear() {
      Arrays.fill(keys, 0);
      Arrays.fill(counts, 0);
      size = 0;
    }
  }
}
