package io.varve.query.api;

import io.varve.query.plan.Downsampler;
import io.varve.schemas.Durations;
import io.varve.schemas.TimeText;
import io.varve.storage.TimeRange;

/** The rule that bounds the number of buckets in a range. */
final class BucketRule {
  private static final String[] ROUND_STEPS = {
    "1ms", "10ms", "100ms", "1s", "5s", "10s", "15s", "30s", "1m", "5m", "10m", "15m", "30m", "1h",
    "3h", "6h", "12h", "1d", "7d", "30d", "366d"
  };

  private BucketRule() {}

  /** Number of buckets that a range touches. */
  static long count(TimeRange range, long stepMicros) {
    long first = Downsampler.startOf(range.fromMicros(), stepMicros);
    long last = Downsampler.startOf(range.toMicros() - 1, stepMicros);
    return (last - first) / stepMicros + 1;
  }

  /**
   * Refuses a step that cuts a range into too many buckets.
   *
   * @param range not empty, with both its ends
   * @throws ProblemException that names the smallest step allowed
   */
  static void check(TimeRange range, long stepMicros, int maxBuckets) {
    long count = count(range, stepMicros);
    if (count <= maxBuckets) {
      return;
    }
    long smallest = smallestStep(range, maxBuckets);
    throw new ProblemException(
        Problem.parameter(
            "step",
            "cuts the range into "
                + count
                + " buckets, and "
                + maxBuckets
                + " is the most; the smallest step for this range is "
                + Durations.format(smallest),
            "step=" + roundStep(smallest)));
  }

  /** The least step that keeps any alignment within the bound, in whole s, ms or µs. */
  private static long smallestStep(TimeRange range, int maxBuckets) {
    long length = range.toMicros() - range.fromMicros();
    long exact = ceilDiv(length, maxBuckets - 1L);
    long unit = exact >= 1_000_000 ? 1_000_000 : exact >= 1_000 ? 1_000 : 1;
    return ceilDiv(exact, unit) * unit;
  }

  private static long ceilDiv(long a, long b) {
    return -Math.floorDiv(-a, b);
  }

  private static String roundStep(long atLeastMicros) {
    try {
      for (String step : ROUND_STEPS) {
        if (Durations.parseMicros(step) >= atLeastMicros) {
          return step;
        }
      }
    } catch (TimeText.Invalid e) {
      throw new IllegalStateException("a step of the table is no duration", e);
    }
    return ROUND_STEPS[ROUND_STEPS.length - 1];
  }
}
