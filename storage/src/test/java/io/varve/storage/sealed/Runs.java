package io.varve.storage.sealed;

import io.varve.storage.RowRun;
import io.varve.storage.SharedData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.agrona.concurrent.UnsafeBuffer;

/** Made and real rows for the tests of the codec, and its plain uses. */
final class Runs {
  static final long START = 1_717_200_000_000_000L;
  static final long SECOND = 1_000_000;

  private Runs() {}

  /** A period with jitter in whole milliseconds; values walk by up to half a unit, two decimals. */
  static RowRun fleet(RandomGenerator random, int rows, long period, int jitterMillis) {
    RowRun run = new RowRun(rows);
    double value = 20;
    for (int i = 0; i < rows; i++) {
      long jitter = jitterMillis == 0 ? 0 : random.nextInt(-jitterMillis, jitterMillis + 1);
      value += random.nextDouble() - 0.5;
      run.add(
          START + i * period + jitter * 1_000,
          0,
          Double.doubleToRawLongBits(Math.round(value * 100) / 100.0));
    }
    return run;
  }

  /** Full-precision values that wander, at irregular microseconds. */
  static RowRun irregular(RandomGenerator random, int rows) {
    RowRun run = new RowRun(rows);
    long time = START;
    double value = 1;
    for (int i = 0; i < rows; i++) {
      time += 1 + (long) (-Math.log(1 - random.nextDouble()) * 5 * SECOND);
      value += random.nextGaussian() * 0.01;
      run.add(time, 0, Double.doubleToRawLongBits(value));
    }
    return run;
  }

  /** Any bits everywhere, in order. */
  static RowRun anyBits(RandomGenerator random, int rows) {
    long[] times = random.longs(rows).sorted().toArray();
    RowRun run = new RowRun(rows);
    for (int i = 0; i < rows; i++) {
      if (i == 0 || times[i] > times[i - 1]) {
        run.add(times[i], random.nextLong(), random.nextLong());
      }
    }
    return run;
  }

  static RowRun cut(RowRun run, int from, int to) {
    RowRun part = new RowRun(to - from);
    for (int i = from; i < to; i++) {
      part.add(run.timestamps[i], run.sequences[i], run.valueBits[i]);
    }
    return part;
  }

  static byte[] encode(RowRun run) {
    return encode(run, new RunEncoder());
  }

  static byte[] encode(RowRun run, RunEncoder encoder) {
    UnsafeBuffer target = new UnsafeBuffer(new byte[RunDecoder.MAX_ROWS * 32]);
    int size = encoder.encode(run, 0, run.size, target, 0, target.capacity());
    byte[] payload = new byte[size];
    target.getBytes(0, payload);
    return payload;
  }

  /** Points a decoder at a copy of a payload with no more than the slack behind it. */
  static RunDecoder wrap(RunDecoder decoder, byte[] payload) {
    UnsafeBuffer memory = new UnsafeBuffer(new byte[payload.length + RunDecoder.SLACK_BYTES]);
    memory.putBytes(0, payload);
    memory.setMemory(payload.length, RunDecoder.SLACK_BYTES, (byte) 0xff);
    return decoder.wrap(memory, 0, payload.length);
  }

  /** The files of the Numenta Anomaly Benchmark, where they are. */
  static List<Path> nab() {
    Optional<Path> folder = SharedData.find("nab");
    if (folder.isEmpty()) {
      return List.of();
    }
    try (var files = Files.walk(folder.get())) {
      return files.filter(file -> file.toString().endsWith(".csv")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads "timestamp,value" lines; of rows at one time, or out of order, the first is kept. */
  static RowRun read(Path csv) {
    RowRun run = new RowRun(1_024);
    long before = Long.MIN_VALUE;
    try {
      List<String> lines = Files.readAllLines(csv);
      for (String line : lines.subList(1, lines.size())) {
        int comma = line.indexOf(',');
        LocalDateTime time = LocalDateTime.parse(line.substring(0, comma).replace(' ', 'T'));
        long micros = time.toEpochSecond(ZoneOffset.UTC) * SECOND;
        double value = Double.parseDouble(line.substring(comma + 1));
        if (micros > before) {
          run.add(micros, 0, Double.doubleToRawLongBits(value));
          before = micros;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return run;
  }
}
