package io.varve.ingest.traffic;

import java.util.List;
import java.util.stream.Stream;

/**
 * The heavy hitters of the last minute, by whole seconds of arrival: a ring of one sketch a second.
 * Not thread-safe.
 */
final class RecentHitters<T> {
  /** Seconds that can be asked for. */
  static final int SECONDS = 60;

  private static final class Slice<T> {
    /** Another one each time, so that whoever holds the one before may read on. */
    HeavyHitters<T> hitters = new HeavyHitters<>();

    long second = Long.MIN_VALUE;
  }

  private final List<Slice<T>> ring =
      Stream.generate(() -> new Slice<T>()).limit(SECONDS + 1).toList();

  void add(long second, T item, long weight, int standsFor) {
    Slice<T> slice = ring.get((int) Math.floorMod(second, (long) ring.size()));
    if (slice.second != second) {
      slice.hitters = new HeavyHitters<>();
      slice.second = second;
    }
    slice.hitters.add(item, weight, standsFor);
  }

  /** Returns some whole seconds, the last of which is the one before {@code second}; for ever. */
  List<HeavyHitters<T>> before(long second, int seconds) {
    return ring.stream()
        .filter(slice -> slice.second < second && slice.second >= second - seconds)
        .map(slice -> slice.hitters)
        .toList();
  }
}
