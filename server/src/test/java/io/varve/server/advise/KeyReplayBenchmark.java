package io.varve.server.advise;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * How long a replay of many single rows takes, in this heap. Not in the gate.
 *
 * <p>Arguments: {@code ordered} (rows as they would come, each sensor in turn) or {@code shuffled}
 * (each row of any sensor at any time of the span, the worst there is), rows, sensors, days.
 */
public final class KeyReplayBenchmark {
  private static final long START_MICROS = 1_760_000_000_000_000L;

  private KeyReplayBenchmark() {}

  public static void main(String[] args) {
    boolean shuffled = args[0].equals("shuffled");
    long rows = Long.parseLong(args[1]);
    int sensors = Integer.parseInt(args[2]);
    long spanMicros = Long.parseLong(args[3]) * 86_400_000_000L;
    byte[][] ids = new byte[sensors][];
    for (int i = 0; i < sensors; i++) {
      ids[i] = ("plant-" + i % 97 + "/sensor-" + i).getBytes(StandardCharsets.UTF_8);
    }
    SplittableRandom random = new SplittableRandom(1);
    KeyReplay replay = new KeyReplay();
    long start = System.nanoTime();
    long step = Math.max(1, spanMicros / rows);
    for (long i = 0; i < rows; i++) {
      byte[] id = ids[shuffled ? random.nextInt(sensors) : (int) (i % sensors)];
      long at = START_MICROS + (shuffled ? random.nextLong(spanMicros) : i * step);
      replay.row(id, 0, id.length, at, 40);
    }
    ReplayFigures figures = replay.figures();
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%s rows=%,d sensors=%,d seconds=%.1f ns_a_row=%.0f heap_used_mib=%d heap_max_mib=%d%n",
        args[0],
        rows,
        sensors,
        seconds,
        seconds * 1e9 / rows,
        (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20,
        Runtime.getRuntime().maxMemory() >> 20);
    for (KeyFigures key : figures.keys()) {
      System.out.printf(
          Locale.ROOT,
          "  %-12s partitions=%,.0f p50=%.0f max=%,d..%,d empty=%.3f%n",
          key.width().key(),
          key.partitions(),
          key.p50Rows(1),
          key.largest().rows(),
          key.largest().rowsAtMost(),
          key.emptyShare());
    }
  }
}
