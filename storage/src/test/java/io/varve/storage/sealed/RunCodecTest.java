package io.varve.storage.sealed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.RowRun;
import io.varve.storage.Seeded;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class RunCodecTest {
  private static final long TEN_SECONDS = 10 * Runs.SECOND;

  private final RunDecoder decoder = new RunDecoder();

  /** The drawings in the package's javadoc, byte by byte. */
  @Test
  void runLooksAsDrawn() {
    RowRun run = new RowRun(3);
    double[] values = {21.5, 21.6, 21.4};
    for (int i = 0; i < 3; i++) {
      run.add(Runs.START + i * TEN_SECONDS, 0, Double.doubleToRawLongBits(values[i]));
    }
    String drawn =
        "01" // version
            + "04" // a line, no sequences, decimals
            + "03" // rows
            + "17" // step: 1 × 10^7
            + "01" // slope: 1 unit a row
            + "00" // shape: no shift, one piece
            + "8080918099f28c06" // base: 1 717 200 000 000 000, zigzag
            + "00" // width of a rest
            + "01" // decimals over 10^1
            + "00" // numbers without steps
            + "ac03" // low: 214, zigzag
            + "02" // width
            + "09"; // 215 - 214, 216 - 214, 214 - 214 in two bits each, lowest first
    assertThat(HexFormat.of().formatHex(Runs.encode(run))).isEqualTo(drawn);
  }

  @Seeded(runs = 5)
  void fleetTakesTheBytesPromised(RandomGenerator random) {
    assertThat(bytesARow(random, 400, 600, 2_000)).isLessThan(2.46);
    assertThat(bytesARow(random, 96, 96, 2_000)).isLessThan(2.7);
    assertThat(bytesARow(random, 400, 600, 0)).isLessThan(1.1);
    assertThat(bytesARow(random, 24, 24, 0)).isLessThan(2.0);
  }

  private static double bytesARow(RandomGenerator random, int least, int most, int jitter) {
    RunEncoder encoder = new RunEncoder();
    double bytes = 0;
    double rows = 0;
    for (int i = 0; i < 100; i++) {
      RowRun run = Runs.fleet(random, random.nextInt(least, most + 1), TEN_SECONDS, jitter);
      bytes += Runs.encode(run, encoder).length;
      rows += run.size;
    }
    return bytes / rows;
  }

  /** A gap costs its own few bytes, not wider rows: at most 8, one missing row or a thousand. */
  @Seeded(runs = 5)
  void gapsLeaveTheRestSmall(RandomGenerator random) {
    for (int missing : new int[] {1, 7, 1_000}) {
      for (int jitter : new int[] {0, 2_000}) {
        RowRun whole = Runs.fleet(random, 500, TEN_SECONDS, jitter);
        RowRun gapped = new RowRun(500);
        for (int i = 0; i < 500; i++) {
          long later = i / 180 * missing * TEN_SECONDS;
          gapped.add(whole.timestamps[i] + later, 0, whole.valueBits[i]);
        }
        assertThat(Runs.encode(gapped).length - Runs.encode(whole).length)
            .isLessThanOrEqualTo(2 * 8);
      }
    }
  }

  /** Any slope finds its line, and a phase that moves at a gap does not widen it. */
  @Seeded(runs = 5)
  void drawnOutPeriodsAreStillLines(RandomGenerator random) {
    RowRun run = new RowRun(600);
    long phase = 0;
    for (int i = 0; i < 600; i++) {
      if (i == 250) {
        phase = 12_345_678_901L;
      }
      long jitter = random.nextLong(-500, 501);
      run.add(Runs.START + i * 10_013_731L + phase + jitter, 0, 0);
    }
    Runs.wrap(decoder, Runs.encode(run));
    assertThat(decoder.timeEncoding()).isEqualTo(TimeEncoding.LINE);
    assertThat(Runs.encode(run).length).isLessThan(600 * 11 / 8);
  }

  @Test
  void sequencesOfRowsAtOneTimeTakeNextToNothing() {
    RowRun run = new RowRun(512);
    for (int i = 0; i < 512; i++) {
      run.add(Runs.START + i / 4 * TEN_SECONDS, i % 4, 0);
    }
    RowRun without = new RowRun(512);
    for (int i = 0; i < 512; i++) {
      without.add(Runs.START + i * TEN_SECONDS, 0, 0);
    }
    assertThat(Runs.encode(without).length).isLessThan(32);
    assertThat(Runs.encode(run).length).isLessThan(512 * 5 / 8);
  }

  @Test
  void fewOddValuesAmongDecimalsStayExceptions() {
    RowRun run = new RowRun(500);
    for (int i = 0; i < 500; i++) {
      double value = i % 50 == 7 ? Double.NaN : (2_000 + i * i % 97) / 100.0;
      run.add(Runs.START + i * TEN_SECONDS, 0, Double.doubleToRawLongBits(value));
    }
    byte[] payload = Runs.encode(run);
    assertThat(Runs.wrap(decoder, payload).valueEncoding()).isEqualTo(ValueEncoding.DECIMAL);
    assertThat(payload.length).isLessThan(500 + 10 * 10 + 32);
  }

  /** Steps of a sixteenth show four decimals, but take no more than what they count. */
  @Seeded(runs = 5)
  void resolutionThatIsNoPowerOfTenCostsNothing(RandomGenerator random) {
    RowRun run = new RowRun(500);
    double value = 20;
    for (int i = 0; i < 500; i++) {
      value += random.nextInt(-3, 5) / 16.0;
      run.add(Runs.START + i * TEN_SECONDS, 0, Double.doubleToRawLongBits(value));
    }
    assertThat(Runs.encode(run).length).isLessThan(500 * 3 / 8 + 60);
  }

  @Test
  void realDataTakesAboutOneByteAndAHalfARow() {
    List<Path> files = Runs.nab();
    assumeThat(files).isNotEmpty();
    RunEncoder encoder = new RunEncoder();
    long bytes = 0;
    long rows = 0;
    for (Path file : files) {
      RowRun run = Runs.read(file);
      rows += run.size;
      RowRun back = new RowRun(run.size);
      for (int from = 0; from < run.size; from += 500) {
        byte[] payload = Runs.encode(Runs.cut(run, from, Math.min(run.size, from + 500)), encoder);
        bytes += payload.length;
        Runs.wrap(decoder, payload).decode(0, decoder.size(), back);
      }
      assertThat(back.valueBits).startsWith(Arrays.copyOf(run.valueBits, run.size));
      assertThat(back.timestamps).startsWith(Arrays.copyOf(run.timestamps, run.size));
    }
    assertThat((double) bytes / rows).isLessThan(1.5);
  }

  @Test
  void unknownVersionsAndEncodingsAreNamed() {
    byte[] payload = Runs.encode(Runs.fleet(new SplittableRandom(1), 40, 1, 0));
    payload[0] = 2;
    assertThatThrownBy(() -> Runs.wrap(decoder, payload))
        .isInstanceOf(CorruptBlockException.class)
        .hasMessageContaining("version=2");
    payload[0] = 1;
    payload[1] = 0x47;
    assertThatThrownBy(() -> Runs.wrap(decoder, payload))
        .isInstanceOf(CorruptBlockException.class)
        .hasMessageContaining("code=71");
    assertThat(decoder.size()).isZero();
    assertThatThrownBy(() -> Runs.wrap(decoder, new byte[0]))
        .isInstanceOf(CorruptBlockException.class);
  }

  @Test
  void callersFaultsAreNotCorruption() {
    RunEncoder encoder = new RunEncoder();
    UnsafeBuffer target = new UnsafeBuffer(new byte[100]);
    RowRun run = new RowRun(2);
    assertThatThrownBy(() -> encoder.encode(run, 0, 0, target, 0, 100))
        .isInstanceOf(IllegalArgumentException.class);
    run.add(5, 1, 0);
    run.add(5, 1, 0);
    assertThatThrownBy(() -> encoder.encode(run, 0, 2, target, 0, 100))
        .isInstanceOf(IllegalArgumentException.class);
    int size = encoder.encode(run, 0, 1, target, 0, 100);
    assertThatThrownBy(() -> decoder.wrap(target, 100 - size, size))
        .isInstanceOf(IllegalArgumentException.class);
    decoder.wrap(target, 0, size);
    assertThatThrownBy(() -> decoder.decode(0, 2, run))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
