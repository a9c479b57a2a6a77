package io.varve.load.fleet;

/** Decides how the rate of a fleet is dealt out to its sensors. */
final class Rates {
  private Rates() {}

  /** Readings a second of each sensor. */
  static double[] of(Profile profile) {
    int sensors = (int) profile.count(Knob.SENSORS);
    int hot = (int) profile.count(Knob.HOT_SENSORS);
    double rate = profile.count(Knob.RATE);
    double hotRate = rate * profile.share(Knob.HOT_SHARE);
    double zipf = profile.decimal(Knob.ZIPF);
    long[] paces = profile.counts(Knob.PACES);
    double[] rates = new double[sensors];
    double total = 0;
    for (int s = hot; s < sensors; s++) {
      double rank = zipf == 0 ? 1 : StrictMath.pow(s + 1.0, -zipf);
      rates[s] = paces[s % paces.length] * rank;
      total += rates[s];
    }
    for (int s = hot; s < sensors; s++) {
      rates[s] *= (rate - hotRate) / total;
    }
    for (int s = 0; s < hot; s++) {
      rates[s] = hotRate / hot;
    }
    return rates;
  }
}
