package io.varve.ingest.sharder;

import io.varve.ingest.traffic.SensorRate;
import io.varve.storage.SensorId;
import io.varve.storage.ShardSize;
import java.util.Optional;

/**
 * One sensor as the sharder sees it.
 *
 * @param shards shards that it has once all plans up to the lead hold
 * @param sinceMicros from when on; {@link Long#MIN_VALUE} if no plan says so
 * @param byHand shards that a person gave it last, below which nobody else goes; 1 if none did
 * @param rate what it sends
 * @param size its shard 0 of today, if that is large or it has several
 */
public record SensorLoad(
    int shards, long sinceMicros, int byHand, SensorRate rate, Optional<ShardSize> size) {
  SensorId sensor() {
    return rate.sensor();
  }
}
