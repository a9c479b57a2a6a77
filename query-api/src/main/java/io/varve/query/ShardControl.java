package io.varve.query;

import io.varve.storage.SensorId;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Shard plans as operators list and set them. A port; thread-safe. Answers are trees like {@link
 * NodeControl#status}.
 */
public interface ShardControl {
  /** Returns how the node stands with plans, and the hot list: sensors with more than one shard. */
  Map<String, Object> hotList();

  /** Returns the plans of one sensor, oldest first; none if it never had one. */
  Map<String, Object> history(SensorId sensor);

  /**
   * Gives a sensor so many shards from a time on, unless it has as many there already.
   *
   * @param shards 1, or a power of two up to 64
   * @param fromMicros first timestamp that it is to hold for; empty: as soon as may be
   * @param dryRun whether to tell only what would be done
   * @return what was decided
   * @throws RefusedException if it may not begin there
   * @throws NotNowException if it can't be written at the moment
   */
  Map<String, Object> set(SensorId sensor, int shards, OptionalLong fromMicros, boolean dryRun)
      throws RefusedException, NotNowException;

  /** A time that no plan may begin at. The message reads on after the parameter's name. */
  final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    public RefusedException(String why) {
      super(why);
    }
  }

  /** A plan that was not, or not for certain, written. The message is a sentence. */
  final class NotNowException extends Exception {
    private static final long serialVersionUID = 1L;

    public NotNowException(String why, Throwable cause) {
      super(why, cause);
    }
  }
}
