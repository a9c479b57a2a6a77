package io.varve.ingest.store;

import java.util.Map;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * Makes {@link RowsStore}s. Caching and a changelog make no sense for them: the log is the topic.
 */
final class RowsStoreBuilder implements StoreBuilder<RowsStore> {
  private final String name;
  private final RowsStores stores;

  RowsStoreBuilder(String name, RowsStores stores) {
    this.name = name;
    this.stores = stores;
  }

  @Override
  public RowsStore build() {
    return new RowsStore(name, stores);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public StoreBuilder<RowsStore> withCachingEnabled() {
    return this;
  }

  @Override
  public StoreBuilder<RowsStore> withCachingDisabled() {
    return this;
  }

  @Override
  public StoreBuilder<RowsStore> withLoggingEnabled(Map<String, String> config) {
    return this;
  }

  @Override
  public StoreBuilder<RowsStore> withLoggingDisabled() {
    return this;
  }

  @Override
  public Map<String, String> logConfig() {
    return Map.of();
  }

  @Override
  public boolean loggingEnabled() {
    return false;
  }
}
