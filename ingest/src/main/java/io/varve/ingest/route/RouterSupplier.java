package io.varve.ingest.route;

import io.varve.ingest.ledger.Ledger;
import io.varve.ingest.pack.RowPacks;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** Makes the routers of one source topic, each with its ledger's store. */
public final class RouterSupplier implements ProcessorSupplier<byte[], byte[], byte[], byte[]> {
  private final RouterSettings settings;
  private final Ledger ledger;
  private final Supplier<RowPacks> packsOfThisThread;

  /**
   * @param packsOfThisThread called by a router on the stream thread that it will run on
   */
  public RouterSupplier(
      RouterSettings settings, Ledger ledger, Supplier<RowPacks> packsOfThisThread) {
    this.settings = settings;
    this.ledger = ledger;
    this.packsOfThisThread = packsOfThisThread;
  }

  @Override
  public Processor<byte[], byte[], byte[], byte[]> get() {
    return new Router(settings, ledger, packsOfThisThread);
  }

  @Override
  public Set<StoreBuilder<?>> stores() {
    return Set.of(
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore(settings.ledgerStore()),
                Serdes.String(),
                Serdes.String())
            .withLoggingEnabled(Map.of()));
  }
}
