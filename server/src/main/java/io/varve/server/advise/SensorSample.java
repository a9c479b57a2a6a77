package io.varve.server.advise;

import io.varve.storage.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Some of the sensors, chosen by their hash alone, and which days each has rows in: a bit for each.
 * What is kept is exact; the choice gets smaller by halves when a table is full.
 *
 * <pre>
 *   word := sensor, number, bits      64 days of one sensor; free where there are no bits
 * </pre>
 */
final class SensorSample {
  /** Widths that days tell the buckets of. */
  static final List<BucketWidth> WIDTHS =
      List.of(BucketWidth.DAY, BucketWidth.WEEK, BucketWidth.MONTH);

  /** A sensor with fewer empty buckets is not worth a word. */
  private static final long FEW_EMPTY = 8;

  private static final int OWNER = 0;
  private static final int NUMBER = 1;
  private static final int BITS = 2;
  private static final int WORD_LENGTH = 4;

  private static final class Sensor {
    final long hash;
    final byte[] name;
    long firstDay;
    long lastDay;
    long rows;

    Sensor(long hash, byte[] name, long day) {
      this.hash = hash;
      this.name = name;
      firstDay = day;
      lastDay = day;
    }

    long buckets(BucketWidth width) {
      return width.bucketOfDay(lastDay) - width.bucketOfDay(firstDay) + 1;
    }
  }

  private final int mostSensors;
  private final int mostWords;
  private Sensor[] sensors;
  private int sensorCount;

  private long[] words;
  private int wordCount;
  private int halvings;

  /**
   * @param mostSensors sensors kept at most; a power of two
   * @param mostWords words kept at most; a power of two
   */
  SensorSample(int mostSensors, int mostWords) {
    this.mostSensors = mostSensors;
    this.mostWords = mostWords;
    sensors = new Sensor[mostSensors * 2];
    words = new long[mostWords * 2 * WORD_LENGTH];
  }

  private boolean keeps(long sensor) {
    return halvings == 0 || sensor >>> (64 - halvings) == 0;
  }

  /** Takes rows of one day of a sensor. */
  void add(long hash, byte[] name, long day, long rows) {
    while (sensorCount >= mostSensors - 1 || wordCount >= mostWords - 1) {
      halve();
    }
    if (!keeps(hash)) {
      return;
    }
    int slot = slot(hash);
    Sensor sensor = sensors[slot];
    if (sensor == null) {
      sensor = new Sensor(hash, name, day);
      sensors[slot] = sensor;
      sensorCount++;
    }
    sensor.firstDay = Math.min(sensor.firstDay, day);
    sensor.lastDay = Math.max(sensor.lastDay, day);
    sensor.rows += rows;
    int word = word(hash, day >> 6);
    if (words[word + BITS] == 0) {
      words[word + OWNER] = hash;
      words[word + NUMBER] = day >> 6;
      wordCount++;
    }
    words[word + BITS] |= 1L << day;
  }

  private int slot(long hash) {
    int mask = sensors.length - 1;
    int slot = (int) hash & mask;
    while (sensors[slot] != null && sensors[slot].hash != hash) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int word(long owner, long number) {
    int mask = words.length / WORD_LENGTH - 1;
    int index = (int) Hashing.mix(owner, number) & mask;
    while (words[index * WORD_LENGTH + BITS] != 0
        && (words[index * WORD_LENGTH + OWNER] != owner
            || words[index * WORD_LENGTH + NUMBER] != number)) {
      index = (index + 1) & mask;
    }
    return index * WORD_LENGTH;
  }

  private void halve() {
    halvings++;
    Sensor[] oldSensors = sensors;
    sensors = new Sensor[oldSensors.length];
    sensorCount = 0;
    for (Sensor each : oldSensors) {
      if (each != null && keeps(each.hash)) {
        sensors[slot(each.hash)] = each;
        sensorCount++;
      }
    }
    long[] oldWords = words;
    words = new long[oldWords.length];
    wordCount = 0;
    for (int old = 0; old < oldWords.length; old += WORD_LENGTH) {
      if (oldWords[old + BITS] != 0 && keeps(oldWords[old + OWNER])) {
        int word = word(oldWords[old + OWNER], oldWords[old + NUMBER]);
        System.arraycopy(oldWords, old, words, word, WORD_LENGTH);
        wordCount++;
      }
    }
  }

  /** Counts the buckets of one width that have rows, by slot of the sensor. */
  private long[] occupied(BucketWidth width) {
    Integer[] order = new Integer[wordCount];
    int n = 0;
    for (int word = 0; word < words.length; word += WORD_LENGTH) {
      if (words[word + BITS] != 0) {
        order[n++] = word;
      }
    }
    Arrays.sort(
        order,
        Comparator.comparingLong((Integer word) -> words[word + OWNER])
            .thenComparingLong(word -> words[word + NUMBER]));
    long[] occupied = new long[sensors.length];
    long owner = 0;
    long last = Long.MIN_VALUE;
    for (int word : order) {
      if (words[word + OWNER] != owner) {
        owner = words[word + OWNER];
        last = Long.MIN_VALUE;
      }
      for (long bits = words[word + BITS]; bits != 0; bits &= bits - 1) {
        long day = words[word + NUMBER] * 64 + Long.numberOfTrailingZeros(bits);
        long bucket = width.bucketOfDay(day);
        if (bucket != last) {
          occupied[slot(owner)]++;
          last = bucket;
        }
      }
    }
    return occupied;
  }

  /** Sensors there are, as far as those kept tell. */
  double estimate() {
    return sensorCount * Math.scalb(1.0, halvings);
  }

  /**
   * Buckets from the day of the first to that of the last row, over all sensors kept, on average.
   */
  double meanBuckets(BucketWidth width) {
    return Arrays.stream(sensors)
        .filter(s -> s != null)
        .mapToLong(s -> s.buckets(width))
        .average()
        .orElse(0);
  }

  /** Which sensors have rows in few of their buckets. */
  Sparse sparse(BucketWidth width) {
    long[] occupied = occupied(width);
    long sparse = 0;
    int worst = -1;
    long worstEmpty = 0;
    for (int i = 0; i < sensors.length; i++) {
      if (sensors[i] != null) {
        long empty = sensors[i].buckets(width) - occupied[i];
        if (empty >= FEW_EMPTY && empty >= occupied[i]) {
          sparse++;
          if (empty > worstEmpty) {
            worst = i;
            worstEmpty = empty;
          }
        }
      }
    }
    if (worst < 0) {
      return new Sparse(sensorCount, halvings == 0, 0, "", 0, 0, 0);
    }
    Sensor sensor = sensors[worst];
    return new Sparse(
        sensorCount,
        halvings == 0,
        sparse,
        new String(sensor.name, StandardCharsets.UTF_8),
        sensor.rows,
        occupied[worst],
        sensor.buckets(width));
  }

  /** Rows of each sensor kept, ascending. */
  long[] sortedRows() {
    return Arrays.stream(sensors).filter(s -> s != null).mapToLong(s -> s.rows).sorted().toArray();
  }

  /**
   * Sensors with more empty buckets than others between their first and last row, and eight at
   * least.
   *
   * @param looked sensors looked at
   * @param all whether these are all there are
   * @param sparse how many of them are so
   * @param sensor the one with the most empty buckets; empty when none is so
   * @param rows its rows
   * @param occupied its buckets with rows
   * @param buckets its buckets from first to last row
   */
  record Sparse(
      long looked,
      boolean all,
      long sparse,
      String sensor,
      long rows,
      long occupied,
      long buckets) {}
}
