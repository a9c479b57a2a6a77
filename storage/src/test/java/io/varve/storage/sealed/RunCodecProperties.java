package io.varve.storage.sealed;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.RowRun;
import io.varve.storage.Seeded;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.agrona.concurrent.UnsafeBuffer;

/** Runs of many shapes against themselves: what comes out is what went in. */
class RunCodecProperties {
  private static final double[] ODD = {
    -0.0,
    0.0,
    Double.NaN,
    Double.longBitsToDouble(0x7ff8_0000_dead_beefL),
    Double.longBitsToDouble(0xfff0_0000_0000_0001L),
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    -Double.MIN_NORMAL / 3,
    Double.MAX_VALUE,
    0x1p53,
    0x1p53 + 2,
    -0x1p63,
    0x1p64,
    0.1 + 0.2,
    1e18,
    1e-18
  };

  private final RunEncoder encoder = new RunEncoder();
  private final RunDecoder decoder = new RunDecoder();

  @Seeded(runs = 300, fullRuns = 20_000)
  void rowsReadBackToTheSameBits(RandomGenerator random) {
    RowRun run = randomRun(random);
    byte[] payload = Runs.encode(run, encoder);
    Runs.wrap(decoder, payload);
    assertThat(decoder.size()).isEqualTo(run.size);
    assertThat(decoder.firstTimestamp()).isEqualTo(run.timestamps[0]);
    assertThat(decoder.firstSequence()).isEqualTo(run.sequences[0]);
    assertThat(decoder.lastTimestamp()).isEqualTo(run.timestamps[run.size - 1]);
    assertThat(decoder.lastSequence()).isEqualTo(run.sequences[run.size - 1]);
    RowRun back = new RowRun(0);
    assertThat(decoder.decode(0, run.size, back)).isEqualTo(run.size);
    assertSame(back, 0, run, 0, run.size);
    assertThat(payload.length).isLessThanOrEqualTo(26 * run.size + 64);
  }

  @Seeded(runs = 100, fullRuns = 5_000)
  void windowsReadBackToTheSameBits(RandomGenerator random) {
    RowRun run = randomRun(random);
    Runs.wrap(decoder, Runs.encode(run, encoder));
    RowRun back = new RowRun(1);
    for (int i = 0; i < 20; i++) {
      int from = random.nextInt(run.size + 1);
      int to = from + random.nextInt(run.size - from + 1);
      int before = back.size;
      int decoded = decoder.decode(from, to, back);
      assertThat(decoded).isBetween(to - from, to - from + 31);
      assertThat(back.size).isEqualTo(before + to - from);
      assertSame(back, before, run, from, to - from);
    }
  }

  @Seeded(runs = 100, fullRuns = 5_000)
  void lowerBoundIsThatOfALinearSearch(RandomGenerator random) {
    RowRun run = randomRun(random);
    Runs.wrap(decoder, Runs.encode(run, encoder));
    for (int i = 0; i < 50; i++) {
      int row = random.nextInt(run.size);
      long timestamp = run.timestamps[row] + random.nextInt(-2, 3) * random.nextLong(0, 50_000);
      long sequence = run.sequences[row] + random.nextInt(-1, 2);
      int expected = 0;
      while (expected < run.size
          && (run.timestamps[expected] < timestamp
              || run.timestamps[expected] == timestamp && run.sequences[expected] < sequence)) {
        expected++;
      }
      assertThat(decoder.lowerBound(timestamp, sequence)).isEqualTo(expected);
      assertThat(decoder.searched()).isLessThanOrEqualTo(32 + 6);
    }
    assertThat(decoder.lowerBound(Long.MIN_VALUE, Long.MIN_VALUE)).isZero();
  }

  /** Neither what was encoded before nor the place decides the bytes; and room is kept to. */
  @Seeded(runs = 50, fullRuns = 2_000)
  void bytesDependOnTheRowsAloneAndStayInTheirRoom(RandomGenerator random) {
    RowRun run = randomRun(random);
    int from = random.nextInt(run.size);
    RowRun part = Runs.cut(run, from, run.size);
    byte[] alone = Runs.encode(part);
    Runs.encode(run, encoder);
    byte[] memory = new byte[alone.length + 40];
    Arrays.fill(memory, (byte) 0x5a);
    byte[] untouched = memory.clone();
    UnsafeBuffer target = new UnsafeBuffer(memory);
    assertThat(encoder.encode(run, from, run.size, target, 17, alone.length - 1)).isEqualTo(-1);
    assertThat(memory).isEqualTo(untouched);
    assertThat(encoder.encode(run, from, run.size, target, 17, alone.length))
        .isEqualTo(alone.length);
    System.arraycopy(alone, 0, untouched, 17, alone.length);
    assertThat(memory).isEqualTo(untouched);
  }

  private static void assertSame(RowRun actual, int at, RowRun expected, int from, int rows) {
    assertThat(Arrays.copyOfRange(actual.timestamps, at, at + rows))
        .isEqualTo(Arrays.copyOfRange(expected.timestamps, from, from + rows));
    assertThat(Arrays.copyOfRange(actual.sequences, at, at + rows))
        .isEqualTo(Arrays.copyOfRange(expected.sequences, from, from + rows));
    assertThat(Arrays.copyOfRange(actual.valueBits, at, at + rows))
        .isEqualTo(Arrays.copyOfRange(expected.valueBits, from, from + rows));
  }

  static RowRun randomRun(RandomGenerator random) {
    int rows =
        switch (random.nextInt(6)) {
          case 0 -> 1 + random.nextInt(3);
          case 1 -> 30 + random.nextInt(5);
          case 2 -> RunDecoder.MAX_ROWS;
          default -> 1 + random.nextInt(RunDecoder.MAX_ROWS);
        };
    long[] keys = times(random, rows);
    long[] values = values(random, rows);
    int sequencing = random.nextInt(5);
    RowRun run = new RowRun(8);
    long sequence = sequencing == 4 ? Long.MIN_VALUE : 0;
    for (int i = 0; i < rows; i++) {
      boolean same = i > 0 && keys[i] == keys[i - 1];
      sequence =
          switch (sequencing) {
            case 0 -> same ? sequence + 1 : 0;
            case 1 -> same ? sequence + 1 + random.nextInt(3) : random.nextInt(-5, 5);
            case 2 -> sequence + 1;
            case 3 -> same ? sequence + 1 : random.nextLong() >> 1;
            default -> sequence + random.nextLong(1, 1L << 52);
          };
      run.add(keys[i], sequence, values[i]);
    }
    return run;
  }

  private static long[] times(RandomGenerator random, int rows) {
    int kind = random.nextInt(9);
    long unit = new long[] {1, 7, 1_000, 1_000_000, 60_000_000, 1L << 20}[random.nextInt(6)];
    long period = random.nextLong(1, 20_000);
    long time = kind == 8 ? Long.MIN_VALUE : random.nextLong(-(1L << 52), 1L << 52);
    long[] times = new long[rows];
    for (int i = 0; i < rows; i++) {
      time +=
          unit
              * switch (kind) {
                case 0 -> period;
                case 1 -> period + random.nextLong(period);
                case 2 -> random.nextInt(3) == 0 ? 1 : 0;
                case 3 -> random.nextInt(40) == 0 ? period * 1_000 : period;
                case 4 -> random.nextInt(100) == 0 ? random.nextLong(period * 50) : period;
                case 5 -> random.nextLong(1 + period * i);
                case 6 -> 0;
                case 7 -> (long) Math.exp(random.nextDouble(25));
                default -> 0;
              };
      times[i] = kind == 8 ? random.nextLong() : time;
    }
    if (kind == 8) {
      times[0] = Long.MIN_VALUE;
      times[rows - 1] = Long.MAX_VALUE;
    }
    Arrays.sort(times);
    return times;
  }

  private static long[] values(RandomGenerator random, int rows) {
    int kind = random.nextInt(11);
    double scale = Math.pow(10, random.nextInt(0, 17));
    double noise = random.nextInt(4) == 0 ? 0 : random.nextDouble() * 100;
    int odd = random.nextInt(3) == 0 ? 1 + random.nextInt(60) : 0;
    double value = random.nextInt(-100, 100);
    long[] bits = new long[rows];
    for (int i = 0; i < rows; i++) {
      value += (random.nextDouble() - 0.5) * noise;
      double shown =
          switch (kind) {
            case 0 -> Math.rint(value * scale) / scale;
            case 1 -> Math.rint(value * 1_000) * 0.001;
            case 2 -> value;
            case 3 -> (float) value;
            case 4 ->
                i == 0 || random.nextInt(20) == 0 ? value : Double.longBitsToDouble(bits[i - 1]);
            case 5 -> random.nextInt(10);
            case 6 -> Math.rint(random.nextDouble() * scale);
            case 7 -> Double.longBitsToDouble(random.nextLong());
            case 8 -> 21.5;
            case 9 -> 0.0625 * Math.rint(value * 16) + 0.01;
            default -> ODD[random.nextInt(ODD.length)];
          };
      if (odd > 0 && random.nextInt(odd) == 0) {
        shown = ODD[random.nextInt(ODD.length)];
      }
      bits[i] = Double.doubleToRawLongBits(shown);
    }
    return bits;
  }
}
