package io.varve.server.proof;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.varve.storage.Row;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * A load that knows what every answer may be.
 *
 * <p>A value follows from (seed, sensor, slot, version): a slot is a clustering key, version 1 its
 * first reading, each correction one more. Of the readings a tenth come late into a slot that was
 * left open, a tenth correct an earlier one; records are keyed by sensor, so that corrections keep
 * their order. An answer is right when each slot shows a version between the last acknowledged and
 * the last sent, and none below what it has shown before.
 */
final class OracleLoad implements AutoCloseable {
  private static final long FIRST_MICROS = 1_717_200_000_000_000L;
  private static final long STEP_MICROS = 97_000_003L;

  /** What was found wrong with the answers; all zero is right. */
  record Verdict(long rows, long lost, long repeated, long wrong, String example) {
    boolean clean() {
      return lost == 0 && repeated == 0 && wrong == 0;
    }
  }

  private final long seed;
  private final Feed feed;
  private final Sensor[] sensors;
  private final Random random;
  private volatile int perSecond;
  private volatile boolean stopped;
  private final Thread thread;
  private @Nullable Throwable failure;

  OracleLoad(long seed, int sensorCount, String bootstrap) {
    // A broker that is killed on purpose is not worth a hundred warnings.
    ((Logger) LoggerFactory.getLogger("org.apache.kafka.clients")).setLevel(Level.ERROR);
    this.seed = seed;
    this.random = new Random(seed);
    this.feed =
        new Feed(
            bootstrap,
            Map.of(
                "delivery.timeout.ms", "240000",
                "max.block.ms", "240000",
                "request.timeout.ms", "5000",
                "reconnect.backoff.max.ms", "200"));
    this.sensors = new Sensor[sensorCount];
    for (int i = 0; i < sensorCount; i++) {
      sensors[i] = new Sensor(i);
    }
    this.thread = new Thread(this::run, "oracle-load");
    thread.setDaemon(true);
    thread.start();
  }

  /** Keeps sending at a rate until told otherwise; 0 holds. */
  void rate(int readingsPerSecond) {
    perSecond = readingsPerSecond;
  }

  /** Sends so many readings as fast as they go. */
  synchronized void sendNow(long readings) {
    for (long i = 0; i < readings; i++) {
      sendOne();
    }
  }

  /** Holds the load and waits until all that was sent is acknowledged. */
  synchronized void holdAndFlush() {
    perSecond = 0;
    if (failure != null) {
      throw new AssertionError("load failed", failure);
    }
    feed.flush();
  }

  long sent() {
    return feed.sent();
  }

  private void run() {
    long next = System.nanoTime();
    try {
      while (!stopped) {
        int rate = perSecond;
        if (rate > 0) {
          synchronized (this) {
            for (int i = 0; i < Math.max(1, rate / 500) && perSecond > 0; i++) {
              sendOne();
            }
          }
        }
        next = Math.max(next + 2_000_000, System.nanoTime() - 50_000_000);
        LockSupport.parkNanos(next - System.nanoTime());
      }
    } catch (RuntimeException | Error e) {
      failure = e;
    }
  }

  private void sendOne() {
    Sensor sensor = sensors[random.nextInt(sensors.length)];
    int slot = sensor.nextSlot(random);
    int version = sensor.claim(slot);
    byte[] value =
        ForeignAvro.reading(
            sensor.name, micros(slot), value(sensor.index, slot, version), sequence(slot));
    feed.send(
        new ProducerRecord<>(Feed.TOPIC, Feed.utf8(sensor.name), value),
        (metadata, error) -> {
          if (error == null) {
            sensor.acknowledged(slot, version);
          }
        });
  }

  private double value(int sensor, int slot, int version) {
    return (Proof.mix(seed, sensor * 1_000_003L + slot, version) >>> 11) * 0x1p-53;
  }

  private static long micros(int slot) {
    return FIRST_MICROS + slot * STEP_MICROS;
  }

  private static long sequence(int slot) {
    return slot % 7 == 3 ? slot : 0;
  }

  /** Reads every sensor back and judges every row. */
  Verdict verify(NodeClient client) {
    Tally tally = new Tally();
    for (Sensor sensor : sensors) {
      judge(sensor, client.allRows(sensor.name, "asc", 10_000), tally);
    }
    return tally.verdict();
  }

  private void judge(Sensor sensor, List<Row> rows, Tally tally) {
    long before = Long.MIN_VALUE;
    int[] shown = new int[sensor.slots()];
    for (Row row : rows) {
      tally.rows++;
      if (row.timestampMicros() <= before) {
        tally.repeated++;
        tally.note("out of order or repeated", sensor.name, row);
      }
      before = row.timestampMicros();
      long slot = (row.timestampMicros() - FIRST_MICROS) / STEP_MICROS;
      int version = slot >= 0 && slot < shown.length ? versionOf(sensor, (int) slot, row) : 0;
      if (version == 0) {
        tally.wrong++;
        tally.note("never sent", sensor.name, row);
      } else {
        shown[(int) slot] = version;
      }
    }
    sensor.compare(shown, tally);
  }

  private int versionOf(Sensor sensor, int slot, Row row) {
    if (row.timestampMicros() != micros(slot) || row.sequence() != sequence(slot)) {
      return 0;
    }
    for (int version = sensor.sent(slot); version > 0; version--) {
      if (value(sensor.index, slot, version) == row.value()) {
        return version;
      }
    }
    return 0;
  }

  @Override
  public void close() throws InterruptedException {
    stopped = true;
    feed.close();
    thread.join(Duration.ofSeconds(10).toMillis());
  }

  /** Counts of one verification. */
  private static final class Tally {
    private long rows;
    private long lost;
    private long repeated;
    private long wrong;
    private String example = "";

    void note(String what, String sensor, Object detail) {
      if (example.isEmpty()) {
        example = what + ": sensor=" + sensor + " " + detail;
      }
    }

    Verdict verdict() {
      return new Verdict(rows, lost, repeated, wrong, example);
    }
  }

  /** Versions of one sensor's slots. */
  private static final class Sensor {
    private final int index;
    private final String name;
    private int head;
    private byte[] sent = new byte[256];
    private byte[] acknowledged = new byte[256];
    private byte[] shown = new byte[256];

    Sensor(int index) {
      this.index = index;
      this.name = "kill/sensor-" + index;
    }

    synchronized int nextSlot(Random random) {
      int kind = random.nextInt(10);
      if (kind < 2 && head > 4) {
        int from = random.nextInt(head);
        for (int slot = from; slot < Math.min(head, from + 64); slot++) {
          boolean open = sent[slot] == 0;
          if (open == (kind == 0) && sent[slot] < Byte.MAX_VALUE) {
            return slot;
          }
        }
      }
      head += random.nextInt(8) == 0 ? 2 : 1;
      return head - 1;
    }

    synchronized int claim(int slot) {
      if (slot >= sent.length) {
        sent = Arrays.copyOf(sent, slot * 2);
        acknowledged = Arrays.copyOf(acknowledged, slot * 2);
        shown = Arrays.copyOf(shown, slot * 2);
      }
      return ++sent[slot];
    }

    synchronized void acknowledged(int slot, int version) {
      acknowledged[slot] = (byte) Math.max(acknowledged[slot], version);
    }

    synchronized int slots() {
      return head;
    }

    synchronized int sent(int slot) {
      return sent[slot];
    }

    synchronized void compare(int[] now, Tally tally) {
      for (int slot = 0; slot < now.length; slot++) {
        if (now[slot] < shown[slot]) {
          tally.wrong++;
          tally.note("shown before, now older or gone", name, now[slot] + " < " + shown[slot]);
        } else if (now[slot] < acknowledged[slot]) {
          tally.lost++;
          tally.note("acknowledged, not shown", name, "slot " + slot + " version " + now[slot]);
        }
        shown[slot] = (byte) Math.max(shown[slot], now[slot]);
      }
    }
  }
}
