package io.varve.load.fleet;

import java.nio.charset.StandardCharsets;

/**
 * Everything about each reading of a fleet, as pure functions of sensor and tick.
 *
 * <p>Tick n of a sensor is the n-th thing that it measures. It is measured at its even place plus
 * jitter, so timestamps never fall within a sensor; those that are equal, since timestamps are cut
 * to the resolution, are told apart by the sequence. A value follows from seed, sensor, timestamp,
 * sequence and version. Times are nanoseconds since the start unless named otherwise. Immutable.
 */
public final class Fleet {
  private static final long DAY_MICROS = 86_400_000_000L;

  /** Fractions of a nanosecond in {@link #periods}, as bits. */
  private static final int FRACTION = 8;

  private static final long LONGEST_PERIOD = 100L * 86_400 * 1_000_000_000;
  private static final long NANOS_A_MICRO = 1_000;

  /** A gateway repeats all that it sent within so long. */
  private static final long REPEAT_SLICE = 100_000_000;

  /** More readings than this never share a timestamp. */
  private static final long MOST_EQUAL = 1L << 40;

  private static final long EVERY_SHARE = 1L << 16;

  private final Profile profile;
  private final long seed;
  private final long startMicros;
  private final String name;
  private final int sensors;
  private final int gatewaySensors;
  private final int batch;
  private final long[] periods;
  private final long[] jitters;
  private final long[] phases;
  private final byte[] firsts;
  private final long[] salts;
  private final long[] skews;
  private final boolean[] batching;
  private final byte[][] names;
  private final long speed;
  private final long resolution;
  private final Outages outages;
  private final long dailyCycle;
  private final long lateBelow;
  private final long lateFrom;
  private final long lateSpread;
  private final long repeatBelow;
  private final long repeatAfter;
  private final long correctBelow;
  private final long correctAfter;
  private final long poisonBelow;
  private final long schemaChange;

  /**
   * Makes a fleet.
   *
   * @param startMicros where its time begins, in microseconds since 1970; a whole second
   * @param name what its sensors' names begin with; none other in the store may begin so
   */
  public Fleet(Profile profile, long seed, long startMicros, String name) {
    if (startMicros % 1_000_000 != 0) {
      throw new IllegalArgumentException("start is no whole second micros=" + startMicros);
    }
    this.profile = profile;
    this.seed = seed;
    this.startMicros = startMicros;
    this.name = name;
    this.sensors = (int) profile.count(Knob.SENSORS);
    this.gatewaySensors = (int) profile.count(Knob.GATEWAY_SENSORS);
    this.batch = (int) profile.count(Knob.BATCH);
    this.speed = profile.count(Knob.SPEED);
    this.resolution = profile.nanos(Knob.RESOLUTION);
    this.outages = new Outages(profile);
    this.dailyCycle = Math.round(profile.share(Knob.DAILY_CYCLE) * 256);
    this.lateBelow = threshold(Knob.LATE_SHARE);
    this.lateFrom = profile.nanos(Knob.LATE_FROM);
    this.lateSpread = profile.nanos(Knob.LATE_TO) - lateFrom;
    this.repeatBelow = threshold(Knob.RESEND_SHARE);
    this.repeatAfter = profile.nanos(Knob.RESEND_AFTER);
    this.correctBelow = threshold(Knob.CORRECTION_SHARE);
    this.correctAfter = profile.nanos(Knob.CORRECTION_AFTER);
    this.poisonBelow = threshold(Knob.POISON_SHARE);
    this.schemaChange = profile.nanos(Knob.SCHEMA_CHANGE_AFTER);
    this.periods = new long[sensors];
    this.jitters = new long[sensors];
    this.phases = new long[sensors];
    this.firsts = new byte[sensors];
    this.salts = new long[sensors];
    this.skews = new long[sensors];
    this.names = new byte[sensors][];
    this.batching = new boolean[gateways()];
    makeSensors();
  }

  private void makeSensors() {
    double[] rates = Rates.of(profile);
    double jitter = profile.share(Knob.JITTER);
    long skewBelow = threshold(Knob.SKEW_SHARE);
    long skew = profile.nanos(Knob.SKEW) / NANOS_A_MICRO;
    long resolutionMicros = resolution / NANOS_A_MICRO;
    for (int s = 0; s < sensors; s++) {
      double period = Math.min(1e9 / rates[s], LONGEST_PERIOD);
      long salt = Mix.mix(seed + (s + 1) * Mix.STRIDE);
      periods[s] = Math.round(period * (1 << FRACTION));
      jitters[s] = (long) (period * jitter);
      salts[s] = salt;
      // The even place of tick 0 is before the start, yet jitter may bring it past it.
      phases[s] = Mix.below(Mix.mix(salt + 1), Math.max(1, (long) period)) - (long) period;
      firsts[s] = (byte) (measured(s, 0) >= 0 ? 0 : 1);
      long off = Mix.mix(salt + 2);
      if ((off & 0xffff) < skewBelow) {
        long micros = Mix.below(off, 2 * skew + 1) - skew;
        skews[s] = micros - Math.floorMod(micros, resolutionMicros);
      }
      names[s] = (name + "/" + s).getBytes(StandardCharsets.UTF_8);
    }
    long batchBelow = threshold(Knob.GATEWAY_SHARE);
    for (int g = 0; g < batching.length; g++) {
      batching[g] = batch > 1 && (Mix.mix(seed ^ (g + 1) * Mix.STRIDE) & 0xffff) < batchBelow;
    }
  }

  private long threshold(Knob knob) {
    return Math.round(profile.share(knob) * EVERY_SHARE);
  }

  /** What it was made from. */
  public Profile profile() {
    return profile;
  }

  /** What it was made from. */
  public long seed() {
    return seed;
  }

  /** Where its time begins, in microseconds since 1970. */
  public long startMicros() {
    return startMicros;
  }

  /** What the names of its sensors begin with, before a slash. */
  public String name() {
    return name;
  }

  /** How many sensors it has; they are numbered from 0. */
  public int sensors() {
    return sensors;
  }

  /** How many gateways it has; they are numbered from 0. */
  public int gateways() {
    return (sensors + gatewaySensors - 1) / gatewaySensors;
  }

  /** Name of a sensor, in UTF-8. Borrowed: not to be changed. */
  public byte[] nameBytes(int sensor) {
    return names[sensor];
  }

  /** Name of a sensor. */
  public String nameOf(int sensor) {
    return name + "/" + sensor;
  }

  /** The gateway that a sensor is behind. */
  public int gatewayOf(int sensor) {
    return sensor / gatewaySensors;
  }

  /** Whether a gateway sends readings together; the sensors of others send each on its own. */
  public boolean batches(int gateway) {
    return batching[gateway];
  }

  /** Whether what a gateway, or a sensor behind it, sends at a time is in milliseconds. */
  public boolean writesMillis(int gateway, long atNanos) {
    return schemaChange > 0 && atNanos >= schemaChange && gateway % 2 == 1;
  }

  /** The first tick that is measured at or after the start: 0 or 1. */
  public long firstTick(int sensor) {
    return firsts[sensor];
  }

  /** When a tick is measured, in nanoseconds since the start. Rises with the tick. */
  public long measured(int sensor, long tick) {
    return phases[sensor]
        + ((tick * periods[sensor]) >> FRACTION)
        + Mix.below(hash(sensor, tick), jitters[sensor]);
  }

  /** A number that decides about one tick. */
  private long hash(int sensor, long tick) {
    return Mix.mix(salts[sensor] + tick * Mix.STRIDE);
  }

  /** The timestamp of what is measured at a time, in microseconds since the start. */
  long stamp(int sensor, long measured) {
    return measured * speed / resolution * (resolution / NANOS_A_MICRO) + skews[sensor];
  }

  /** Timestamp of a tick in microseconds since 1970. Never falls with the tick. */
  public long timestampMicros(int sensor, long tick) {
    return startMicros + stamp(sensor, measured(sensor, tick));
  }

  /** How many earlier ticks have the same timestamp. */
  public long sequence(int sensor, long tick) {
    long stamp = stamp(sensor, measured(sensor, tick));
    long first = tick;
    while (first > firsts[sensor] && stamp(sensor, measured(sensor, first - 1)) == stamp) {
      first--;
    }
    return tick - first;
  }

  /**
   * The first tick whose timestamp is at or after an instant.
   *
   * @param timestampMicros in microseconds since 1970
   */
  public long tickAtOrAfter(int sensor, long timestampMicros) {
    long stamp = timestampMicros - startMicros - skews[sensor];
    if (stamp <= 0) {
      return firsts[sensor];
    }
    long at = stamp * NANOS_A_MICRO / speed;
    long guess = ((at - phases[sensor]) << FRACTION) / periods[sensor];
    long tick = Math.max(firsts[sensor], guess);
    while (tick > firsts[sensor] && timestampMicros(sensor, tick - 1) >= timestampMicros) {
      tick--;
    }
    while (timestampMicros(sensor, tick) < timestampMicros) {
      tick++;
    }
    return tick;
  }

  /**
   * Finds the tick that has a key; -1 if no tick of the sensor ever has it.
   *
   * @param timestampMicros in microseconds since 1970
   */
  public long tickOf(int sensor, long timestampMicros, long sequence) {
    boolean possible =
        timestampMicros >= startMicros + skews[sensor]
            && timestampMicros - startMicros <= LONGEST_PERIOD / NANOS_A_MICRO * speed
            && sequence >= 0
            && sequence < MOST_EQUAL;
    if (!possible) {
      return -1;
    }
    long tick = tickAtOrAfter(sensor, timestampMicros) + sequence;
    return timestampMicros(sensor, tick) == timestampMicros ? tick : -1;
  }

  /** When a tick is sent if it is not late: when measured, or when its sensor is back. */
  long sentAtOnce(int sensor, long measured) {
    return outages.heldUntil(salts[sensor], measured);
  }

  /** How long after that a tick is sent for the first time; nearly always 0. */
  long lateBy(int sensor, long tick) {
    if (lateBelow == 0) {
      return 0;
    }
    long decision = decision(sensor, tick);
    return (decision & 0xffff) < lateBelow
        ? lateFrom + Mix.below(Mix.mix(decision), lateSpread)
        : 0;
  }

  private long decision(int sensor, long tick) {
    return Mix.mix(hash(sensor, tick) + Mix.STRIDE);
  }

  /** Whether a tick's value is replaced later. */
  public boolean isCorrected(int sensor, long tick) {
    return correctBelow > 0 && ((decision(sensor, tick) >>> 16) & 0xffff) < correctBelow;
  }

  long correctAfter() {
    return correctAfter;
  }

  /** Whether what a sensor sends for the first time at a time comes a second time. */
  boolean isRepeated(int sensor, long sentNanos) {
    return repeatBelow > 0
        && (Mix.mix(seed + gatewayOf(sensor) * Mix.STRIDE + sentNanos / REPEAT_SLICE) & 0xffff)
            < repeatBelow;
  }

  long repeatAfter() {
    return repeatAfter;
  }

  /** Whether a bad record follows a tick. */
  boolean isPoisoned(int sensor, long tick) {
    return poisonBelow > 0 && (decision(sensor, tick) >>> 48) < poisonBelow;
  }

  Poison poison(int sensor, long tick) {
    return FORMS[(int) Mix.below(Mix.mix(decision(sensor, tick)), FORMS.length)];
  }

  private static final Poison[] FORMS = Poison.values();

  /** The value that a key has in a version, as {@link Double#doubleToRawLongBits}. */
  public long valueBits(int sensor, long timestampMicros, long sequence, int version) {
    long stamp = timestampMicros - startMicros;
    long salt = salts[sensor];
    long hash = Mix.mix(salt + stamp * Mix.STRIDE + sequence * 0xd1b54a32d192ed03L);
    long level = 1_000 + (salt & 0xfff);
    long swing = ((200 + ((salt >>> 12) & 0x3ff)) * dailyCycle) >> 8;
    long noise = (hash & 0x7f) - 64;
    long shift = (version - 1) * (1 + ((hash >>> 7) & 0x3f));
    return Double.doubleToRawLongBits(
        (level + ((swing * cycle(stamp)) >> 15) + noise + shift) / 100.0);
  }

  /** A wave of one day between -2^15 and 2^15, made of two parabolas. */
  private static long cycle(long stamp) {
    long part = Math.floorMod(stamp, DAY_MICROS) * 256 / (DAY_MICROS >> 8);
    long half = part & 0x7fff;
    long bow = (half * (0x8000 - half)) >> 13;
    return part < 0x8000 ? bow : -bow;
  }
}
