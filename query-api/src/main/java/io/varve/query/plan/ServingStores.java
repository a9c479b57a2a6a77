package io.varve.query.plan;

import io.varve.query.Stores;
import io.varve.query.plan.MissingStoresException.Missing;
import io.varve.storage.PartitionReader;
import io.varve.storage.StoreState;
import io.varve.storage.placement.ShardCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a query reads: all stores, since an answer without one of them would not be whole.
 *
 * @param all one serving store for each topic partition, by topic partition
 * @param shardCounts what settles which of two rows of one key is shown
 */
public record ServingStores(List<PartitionReader> all, ShardCounts shardCounts) {
  public ServingStores {
    all = List.copyOf(all);
  }

  /**
   * Finds them.
   *
   * @throws MissingStoresException if a topic partition has none on this node; retry shortly, or
   *     ask its owner
   */
  public static ServingStores of(Stores stores) {
    PartitionReader[] byTopicPartition = new PartitionReader[stores.topicPartitions()];
    int serving = 0;
    for (PartitionReader reader : stores.local()) {
      int topicPartition = reader.topicPartition();
      if (topicPartition < byTopicPartition.length && reader.state() == StoreState.SERVING) {
        serving += byTopicPartition[topicPartition] == null ? 1 : 0;
        byTopicPartition[topicPartition] = reader;
      }
    }
    if (serving < byTopicPartition.length || serving == 0) {
      throw new MissingStoresException(missing(stores, byTopicPartition));
    }
    return new ServingStores(List.of(byTopicPartition), stores.shardCounts());
  }

  private static List<Missing> missing(Stores stores, PartitionReader[] serving) {
    Map<Integer, String> owners = stores.remoteOwners();
    List<Missing> missing = new ArrayList<>();
    for (int topicPartition = 0; topicPartition < serving.length; topicPartition++) {
      if (serving[topicPartition] == null) {
        missing.add(
            new Missing(
                topicPartition,
                stateOf(stores, topicPartition),
                Optional.ofNullable(owners.get(topicPartition))));
      }
    }
    return missing;
  }

  private static Optional<StoreState> stateOf(Stores stores, int topicPartition) {
    return stores.local().stream()
        .filter(reader -> reader.topicPartition() == topicPartition)
        .map(PartitionReader::state)
        .filter(state -> state != StoreState.SERVING)
        .findFirst();
  }
}
