package io.varve.storage.sealed;

import io.varve.storage.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;

/**
 * What deltas of deltas would save beside {@link TimeEncoding}'s two forms: bits a timestamp, in
 * blocks of 512 rows and frames of 32, each frame with a base and one width, on the sensors of the
 * Numenta Anomaly Benchmark (where the folder is there) and on made-up ones. Run {@code main}.
 */
public final class TimeShapesBenchmark {
  private static final int ROWS = 20_000;
  private static final int BLOCK = 512;
  private static final int FRAME = 32;
  private static final int BASE_BITS = 16;
  private static final long PERIOD = 10_000_000;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

  private long line;
  private long delta;
  private long second;
  private long bestOfTwo;
  private long bestOfThree;
  private long rows;
  private int blocks;
  private int won;

  private TimeShapesBenchmark() {}

  /** Prints one line for each kind of sensor. */
  public static void main(String[] args) throws IOException {
    TimeShapesBenchmark nab = new TimeShapesBenchmark();
    Optional<Path> sensors = SharedData.find("nab");
    if (sensors.isPresent()) {
      try (Stream<Path> files = Files.walk(sensors.get())) {
        for (Path file : files.filter(f -> f.toString().endsWith(".csv")).sorted().toList()) {
          nab.add(timestamps(file));
        }
      }
      nab.print("NAB, all sensors");
    }
    SplittableRandom random = new SplittableRandom(1);
    made("10 s ± 2 s", i -> i * PERIOD + random.nextInt(4_000) * 1_000L);
    made("10 s", i -> i * PERIOD);
    made("10 s ± 1 ms", i -> i * PERIOD + random.nextInt(3) * 1_000L);
    made("10 s, clock 50 ppm fast", i -> i * PERIOD + i * 500L);
    long[] slept = new long[1];
    made("10 s and some work between", i -> slept[0] += PERIOD + random.nextInt(5_000));
    made("period that swings slowly", i -> i * PERIOD + (long) (5e8 * Math.cos(i / 500.0)));
    made("period that grows 1 ms a row", i -> i * PERIOD + (long) i * i * 500);
  }

  private static long[] timestamps(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    return lines.stream()
        .skip(1)
        .map(text -> text.substring(0, text.indexOf(',')))
        .map(text -> text.length() > 19 ? text.substring(0, 19) : text)
        .mapToLong(text -> LocalDateTime.parse(text, TIME).toEpochSecond(ZoneOffset.UTC))
        .map(seconds -> seconds * 1_000_000)
        .sorted()
        .distinct()
        .toArray();
  }

  private static void made(String what, IntToLongFunction timestamp) {
    TimeShapesBenchmark shape = new TimeShapesBenchmark();
    long[] timestamps = new long[ROWS];
    Arrays.setAll(timestamps, timestamp);
    shape.add(timestamps);
    shape.print(what);
  }

  private void add(long[] timestamps) {
    for (int from = 0; from + 3 <= timestamps.length; from += BLOCK) {
      block(Arrays.copyOfRange(timestamps, from, Math.min(timestamps.length, from + BLOCK)));
    }
  }

  private void block(long[] timestamps) {
    int n = timestamps.length;
    long step = 0;
    for (int i = 1; i < n; i++) {
      step = gcd(step, timestamps[i] - timestamps[i - 1]);
    }
    long[] at = new long[n];
    long[] residual = new long[n];
    for (int i = 0; i < n; i++) {
      at[i] = (timestamps[i] - timestamps[0]) / step;
    }
    double slope = (double) at[n - 1] / (n - 1);
    for (int i = 0; i < n; i++) {
      residual[i] = at[i] - Math.round(slope * i);
    }
    long[] first = differences(at);
    long byLine = bits(residual, FRAME);
    long byDelta = bits(first, FRAME - 1);
    long bySecond = bits(differences(first), FRAME - 2);
    // A restart point needs the delta that the second differences begin from, too.
    for (int i = 0; i < first.length; i += FRAME) {
      bySecond += Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(first[i]));
    }
    line += byLine;
    delta += byDelta;
    second += bySecond;
    bestOfTwo += Math.min(byLine, byDelta);
    bestOfThree += Math.min(Math.min(byLine, byDelta), bySecond);
    won += bySecond < Math.min(byLine, byDelta) ? 1 : 0;
    blocks++;
    rows += n;
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  private static long[] differences(long[] of) {
    long[] differences = new long[of.length - 1];
    Arrays.setAll(differences, i -> of[i + 1] - of[i]);
    return differences;
  }

  /** Bits of numbers in frames: the width of the widest number over the frame's least one. */
  private static long bits(long[] numbers, int inFrame) {
    long bits = 0;
    for (int from = 0; from < numbers.length; from += FRAME) {
      int to = Math.min(numbers.length, from + inFrame);
      long least = Arrays.stream(numbers, from, to).min().orElse(0);
      long most = Arrays.stream(numbers, from, to).max().orElse(0);
      bits +=
          BASE_BITS + (to - from) * (long) (Long.SIZE - Long.numberOfLeadingZeros(most - least));
    }
    return bits;
  }

  private void print(String what) {
    System.out.printf(
        "%-30s line %6.2f  delta %6.2f  delta of deltas %6.2f  best of two %6.3f  of three %6.3f"
            + "  (smallest in %d of %d blocks)%n",
        what,
        (double) line / rows,
        (double) delta / rows,
        (double) second / rows,
        (double) bestOfTwo / rows,
        (double) bestOfThree / rows,
        won,
        blocks);
  }
}
