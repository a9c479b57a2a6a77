package io.varve.query.plan;

import io.varve.storage.StoreState;
import java.util.List;
import java.util.Optional;

/** Some topic partitions that an answer needs have no serving store on this node. */
public final class MissingStoresException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * A topic partition without a serving store here.
   *
   * @param topicPartition topic partition of {@code rows}
   * @param state state of its store on this node; empty when there is none
   * @param owner {@code host:port} of the node that has it, where known
   */
  public record Missing(int topicPartition, Optional<StoreState> state, Optional<String> owner) {
    @Override
    public String toString() {
      String here = state.map(s -> s.name().toLowerCase(java.util.Locale.ROOT)).orElse("not here");
      return topicPartition + " (" + here + owner.map(o -> ", owned by " + o).orElse("") + ")";
    }
  }

  private final transient List<Missing> missing;

  public MissingStoresException(List<Missing> missing) {
    super("topic partitions without a serving store: " + missing, null, false, false);
    this.missing = List.copyOf(missing);
  }

  /** The topic partitions, in ascending order. */
  public List<Missing> missing() {
    return missing;
  }
}
