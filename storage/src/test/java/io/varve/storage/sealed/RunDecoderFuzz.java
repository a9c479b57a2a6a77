package io.varve.storage.sealed;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.RowRun;
import io.varve.storage.Seeded;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Hostile payloads: rows or {@link CorruptBlockException}, quickly and in little memory. */
class RunDecoderFuzz {
  private static final long MAX_NANOS = 1_000_000_000;
  private static final long MAX_BYTES = 8 << 20;

  private final RunEncoder encoder = new RunEncoder();
  private final RunDecoder decoder = new RunDecoder();

  @Seeded(runs = 200, fullRuns = 20_000)
  void mutatedPayloadsGiveRowsOrCorruption(RandomGenerator random) {
    byte[] payload = Runs.encode(RunCodecProperties.randomRun(random), encoder);
    for (int i = 0; i < 50; i++) {
      byte[] damaged = payload.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        // Headers are near the front; that is where the decisions are.
        int limit = random.nextBoolean() ? Math.min(40, damaged.length) : damaged.length;
        damaged[random.nextInt(limit)] =
            (byte) (random.nextBoolean() ? random.nextInt() : 1 << random.nextInt(8));
      }
      if (random.nextInt(4) == 0) {
        damaged = Arrays.copyOf(damaged, random.nextInt(damaged.length * 2));
      }
      read(damaged, random);
    }
  }

  /** Each single bit of a short payload. */
  @Seeded(runs = 30, fullRuns = 1_000)
  void everyFlippedBitGivesRowsOrCorruption(RandomGenerator random) {
    RowRun run = RunCodecProperties.randomRun(random);
    byte[] payload = Runs.encode(Runs.cut(run, 0, Math.min(run.size, 40)), encoder);
    for (int bit = 0; bit < payload.length * 8; bit++) {
      byte[] damaged = payload.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      read(damaged, random);
    }
  }

  /** Random numbers behind a sound header, small ones more often: they get further. */
  @Seeded(runs = 200, fullRuns = 20_000)
  void inventedPayloadsGiveRowsOrCorruption(RandomGenerator random) {
    for (int i = 0; i < 50; i++) {
      byte[] payload = new byte[random.nextInt(600)];
      random.nextBytes(payload);
      for (int at = 0; at < payload.length; at++) {
        if (random.nextInt(3) > 0) {
          payload[at] &= random.nextBoolean() ? 7 : 63;
        }
      }
      if (payload.length > 2 && random.nextInt(10) > 0) {
        payload[0] = RunEncoder.VERSION;
        payload[1] = (byte) (random.nextInt() & 0x1d);
      }
      read(payload, random);
    }
  }

  private void read(byte[] payload, RandomGenerator random) {
    RowRun into = new RowRun(0);
    long allocated = allocated();
    long before = processorNanos();
    try {
      Runs.wrap(decoder, payload);
      int size = decoder.size();
      assertThat(size).isBetween(1, RunDecoder.MAX_ROWS);
      assertThat(decoder.lowerBound(decoder.lastTimestamp(), decoder.lastSequence()))
          .isBetween(0, size);
      assertThat(decoder.lowerBound(decoder.firstTimestamp(), decoder.firstSequence()))
          .isBetween(0, size);
      assertThat(decoder.lowerBound(random.nextLong(), random.nextLong())).isBetween(0, size);
      int from = random.nextInt(size);
      decoder.decode(from, size, into);
      decoder.decode(0, size, into);
      assertThat(into.size).isEqualTo(size - from + size);
    } catch (CorruptBlockException damage) {
      assertThat(damage).hasMessageStartingWith("sealed run ");
    }
    assertThat(processorNanos() - before).isLessThan(MAX_NANOS);
    assertThat(allocated() - allocated).isLessThan(MAX_BYTES);
  }

  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
