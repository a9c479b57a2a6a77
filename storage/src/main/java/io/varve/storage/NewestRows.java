package io.varve.storage;

import java.util.List;

/**
 * The newest rows of one batch of sensors after another, as one store has them. A batch, because
 * memory answers many independent questions in little more time than one.
 *
 * <p>Holds nothing of the store between calls, so there is nothing to close. Single-threaded; made
 * by {@link PartitionReader#newestRows}. Sensors are named by their index in the batch.
 */
public interface NewestRows {
  /** Most sensors of a batch. */
  int MAX_SENSORS = Long.SIZE;

  /** The day of a sensor without rows. */
  int NO_DAY = Integer.MIN_VALUE;

  /**
   * Begins a batch: finds the newest day of which each sensor has rows here.
   *
   * @throws StoreUnavailableException if the store does not serve; retry shortly
   */
  void find(List<SensorId> sensors);

  /** The newest day found of a sensor; {@link #NO_DAY} if it has no rows here. */
  int day(int sensor);

  /**
   * Reads the newest row of some sensors on the days found, over the shards of the day. Of equal
   * keys the row of the highest shard counts.
   *
   * @param sensors a bit for each sensor; those without rows have none
   * @param stats gets one shard for each fragment, and one block and one row if it had rows
   * @return the bits of those with a row: the others' days have expired since
   * @throws CorruptBlockException if a row fails its checksum
   * @throws StoreUnavailableException if the store has left this node; retry shortly
   */
  long read(long sensors, ReadStats stats);

  /** Time of a sensor's row; this and the others are meaningless where none was read. */
  long timestampMicros(int sensor);

  long sequence(int sensor);

  double value(int sensor);
}
