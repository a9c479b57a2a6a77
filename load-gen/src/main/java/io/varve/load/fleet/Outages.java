package io.varve.load.fleet;

/** When sensors are offline: at most once in each window of time. Immutable. */
final class Outages {
  private final long below;
  private final long every;
  private final long length;
  private final long spread;
  private final boolean together;

  Outages(Profile profile) {
    this.below = Math.round(profile.share(Knob.OFFLINE_SHARE) * (1 << 16));
    this.every = profile.nanos(Knob.OFFLINE_EVERY);
    this.length = profile.nanos(Knob.OFFLINE_FOR);
    this.spread = profile.nanos(Knob.RETURN_SPREAD);
    this.together = profile.on(Knob.OFFLINE_TOGETHER);
  }

  /**
   * When a sensor can send what it measures at a time: at once, or when it is back. Never falls
   * with the time.
   */
  long heldUntil(long salt, long nanos) {
    if (below == 0) {
      return nanos;
    }
    long window = nanos / every;
    long choice = Mix.mix(salt + 3 + window * Mix.STRIDE);
    if ((choice & 0xffff) >= below) {
      return nanos;
    }
    long room = every - length - spread;
    long from = window * every + (together ? room / 2 : Mix.below(choice, room));
    long back = from + length + Mix.below(Mix.mix(choice), Math.max(1, spread));
    return nanos >= from && nanos < back ? back : nanos;
  }
}
