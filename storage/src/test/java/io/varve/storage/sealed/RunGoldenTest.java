package io.varve.storage.sealed;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.RowRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/**
 * Payloads of version 1, kept in {@code runs-1.hex}: a name, its encodings and the bytes in a line.
 * They stay readable for ever. That the encoder still writes them is a promise to itself only; a
 * better choice may change them, then {@link #main} prints new ones and the old ones are kept too.
 */
class RunGoldenTest {
  private static final Map<String, RowRun> RUNS = new LinkedHashMap<>();

  static {
    IntToLongFunction even = i -> Runs.START + i * 10_000_000L;
    IntToLongFunction none = i -> 0;
    IntFunction<Double> walk = i -> (2_000 + i * i * 31 % 101) / 100.0;
    RUNS.put("one-row", run(1, even, i -> -7, walk));
    RUNS.put("line-decimal", run(100, even, none, walk));
    RUNS.put("line-rests", run(70, i -> even.applyAsLong(i) + i * 7919 % 4001 * 1_000, none, walk));
    RUNS.put("line-slope", run(200, i -> i * 10_000_001L / 3, none, i -> 1.5));
    RUNS.put("line-pieces", run(90, i -> even.applyAsLong(i + i / 40 * 1_000), none, i -> 1.5));
    RUNS.put("line-xor", run(40, even, none, i -> Math.sqrt(1 + i)));
    RUNS.put("line-xor-maps", run(70, even, none, i -> Math.sqrt(1 + i / 13)));
    RUNS.put("line-raw", run(5, even, none, i -> new double[] {-0.0, 1e300, 1e-300, -3, 7e77}[i]));
    RUNS.put(
        "decimal-exceptions", run(50, even, none, i -> i % 23 == 2 ? Double.NaN : walk.apply(i)));
    RUNS.put("decimal-corrections", run(50, even, none, i -> i * 37 % 50 * 0.1));
    RUNS.put("decimal-factor", run(60, even, none, i -> 20.125 + (i * i * 31 % 67 - 9) * 0.0625));
    RUNS.put("decimal-steps", run(90, even, none, i -> (double) (i * (i + 1) / 2)));
    RUNS.put("delta", run(100, i -> i < 50 ? i * i * 1_000L : i * i * i * 1_000L, none, i -> 1.5));
    RUNS.put(
        "delta-ends",
        run(
            3,
            i -> new long[] {Long.MIN_VALUE, 0, Long.MAX_VALUE}[i],
            i -> i == 1 ? Long.MIN_VALUE : Long.MAX_VALUE,
            i -> 1.5));
    RUNS.put("sequences", run(70, i -> even.applyAsLong(i / 5), i -> i, i -> 1.5));
    RUNS.put("sequences-own-widths", run(70, even, i -> i < 64 ? 1 : i << 20, i -> 1.5));
  }

  private static RowRun run(
      int rows,
      IntToLongFunction timestamp,
      IntToLongFunction sequence,
      IntFunction<Double> value) {
    RowRun run = new RowRun(rows);
    for (int i = 0; i < rows; i++) {
      run.add(
          timestamp.applyAsLong(i),
          sequence.applyAsLong(i),
          Double.doubleToRawLongBits(value.apply(i)));
    }
    return run;
  }

  /** Prints the file anew. */
  public static void main(String[] args) {
    RUNS.forEach(
        (name, run) -> {
          byte[] payload = Runs.encode(run);
          System.out.printf(
              "%s %s %s%n", name, encodings(payload), HexFormat.of().formatHex(payload));
        });
  }

  private static String encodings(byte[] payload) {
    RunDecoder decoder = Runs.wrap(new RunDecoder(), payload);
    return decoder.timeEncoding() + "+" + decoder.valueEncoding();
  }

  @Test
  void payloadsOfVersionOneStayReadable() throws IOException {
    for (String[] kept : lines()) {
      byte[] payload = HexFormat.of().parseHex(kept[2]);
      RowRun expected = Objects.requireNonNull(RUNS.get(kept[0]), kept[0]);
      RowRun actual = new RowRun(expected.size);
      RunDecoder decoder = Runs.wrap(new RunDecoder(), payload);
      decoder.decode(0, decoder.size(), actual);
      assertThat(actual.size).as(kept[0]).isEqualTo(expected.size);
      assertThat(actual.timestamps).as(kept[0]).isEqualTo(expected.timestamps);
      assertThat(actual.sequences).as(kept[0]).isEqualTo(expected.sequences);
      assertThat(actual.valueBits).as(kept[0]).isEqualTo(expected.valueBits);
      assertThat(encodings(payload)).isEqualTo(kept[1]);
    }
  }

  @Test
  void encoderStillWritesThem() throws IOException {
    for (String[] kept : lines()) {
      RowRun run = Objects.requireNonNull(RUNS.get(kept[0]), kept[0]);
      assertThat(HexFormat.of().formatHex(Runs.encode(run))).as(kept[0]).isEqualTo(kept[2]);
    }
  }

  @Test
  void everyRunAndEncodingIsKept() throws IOException {
    assertThat(Arrays.stream(lines()).map(kept -> kept[0])).containsAll(RUNS.keySet());
    String encodings = Arrays.stream(lines()).map(kept -> kept[1]).toList().toString();
    for (TimeEncoding encoding : TimeEncoding.values()) {
      assertThat(encodings).contains(encoding.name());
    }
    for (ValueEncoding encoding : ValueEncoding.values()) {
      assertThat(encodings).contains(encoding.name());
    }
  }

  private static String[][] lines() throws IOException {
    try (InputStream in =
            Objects.requireNonNull(RunGoldenTest.class.getResourceAsStream("runs-1.hex"));
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().map(line -> line.split(" ")).toArray(String[][]::new);
    }
  }
}
