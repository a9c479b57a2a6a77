package io.varve.storage;

import java.util.List;

/** A store with its writer's side, as the contracts drive it. */
public interface StoreUnderTest extends AutoCloseable {
  /** The store as queries see it; another object after {@link #reopen}. */
  PartitionReader reader();

  /** Applies one record of the log that holds these rows, at the next offset. */
  void apply(SensorId sensor, int shard, List<Row> rows);

  /** Drops every day before a floor, which is not past the newest day that ever had rows. */
  void expire(int floorDay);

  /** Closes in good order and opens again from what was kept. */
  void reopen();

  @Override
  void close();
}
