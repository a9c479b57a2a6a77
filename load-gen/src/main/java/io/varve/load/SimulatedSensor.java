package io.varve.load;

import java.util.Optional;

/**
 * One sensor: its readings are a pure function of the seed and the tick.
 *
 * @param id such as {@code plant-1/line-2/temperature}
 * @param kind what it measures
 * @param gateway the gateway that sends for it, if it does not send itself
 * @param periodMicros time between two ticks
 * @param phaseMicros time of tick 0 within the first period after 1970
 * @param seed decides jitter, noise and lateness
 */
record SimulatedSensor(
    String id,
    Kind kind,
    Optional<String> gateway,
    long periodMicros,
    long phaseMicros,
    long seed) {

  /** What sensors measure: a level, a daily swing around it and noise, in the unit's size. */
  enum Kind {
    TEMPERATURE("temperature", 1, 21.0, 4.0, 0.15, 15),
    HUMIDITY("humidity", 1, 48.0, -9.0, 0.6, 15),
    POWER("power", 10, 140.0, 85.0, 6.0, 13),
    PRESSURE("pressure", 2, 2.6, 0.2, 0.02, 12),
    VIBRATION("vibration", 5, 1.4, 0.5, 0.12, 11);

    final String text;

    /** Readings in the time in which the slowest kind sends one. */
    final int pace;

    private final double level;
    private final double swing;
    private final double noise;

    /** Hour of the day, UTC, at which the swing is highest. */
    private final int peakHour;

    Kind(String text, int pace, double level, double swing, double noise, int peakHour) {
      this.text = text;
      this.pace = pace;
      this.level = level;
      this.swing = swing;
      this.noise = noise;
      this.peakHour = peakHour;
    }
  }

  private static final long DAY_MICROS = 86_400_000_000L;
  private static final double LATE_SHARE = 0.02;
  private static final long MIN_DELAY_MICROS = 5_000_000;
  private static final long MAX_DELAY_MICROS = 120_000_000;

  /** The first tick at or after an instant. */
  long tickAtOrAfter(long micros) {
    return -Math.floorDiv(phaseMicros - micros, periodMicros);
  }

  /** When a tick is due, to the millisecond, up to a tenth of the period after its even place. */
  long timestampMicros(long tick) {
    long jitter = (long) (unit(tick, 1) * periodMicros / 10);
    long micros = phaseMicros + tick * periodMicros + jitter;
    return micros - Math.floorMod(micros, 1000);
  }

  /** How long after its timestamp a reading is sent: nearly always 0, else seconds to minutes. */
  long delayMicros(long tick) {
    if (unit(tick, 2) >= LATE_SHARE) {
      return 0;
    }
    return MIN_DELAY_MICROS + (long) (unit(tick, 3) * (MAX_DELAY_MICROS - MIN_DELAY_MICROS));
  }

  /**
   * What is measured: the level with its daily swing, an offset of this sensor's own, and noise.
   */
  double value(long tick) {
    double dayPart = Math.floorMod(timestampMicros(tick), DAY_MICROS) / (double) DAY_MICROS;
    double cycle = Math.cos(2 * Math.PI * (dayPart - kind.peakHour / 24.0));
    double own = (unit(0, 4) - 0.5) * Math.abs(kind.swing);
    double noise = (unit(tick, 5) + unit(tick, 6) + unit(tick, 7) - 1.5) * 2 * kind.noise;
    return Math.round((kind.level + own + kind.swing * cycle + noise) * 100) / 100.0;
  }

  /** A number in [0, 1) that tick and purpose decide; the mixing is that of SplitMix64. */
  private double unit(long tick, int purpose) {
    long z = seed + tick * 0x9e3779b97f4a7c15L + purpose * 0xd1b54a32d192ed03L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return ((z ^ (z >>> 31)) >>> 11) * 0x1.0p-53;
  }
}
