package io.varve.storage.engine;

import io.varve.storage.ConcurrencyContract;
import io.varve.storage.IndexContract;
import io.varve.storage.StoreUnderTest;
import io.varve.storage.WalkContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

class PartitionStoreContractTest {
  @Nested
  class Walks extends WalkContract {
    @Override
    protected StoreUnderTest open(Path folder) {
      return new DrivenStore(folder, new Log());
    }
  }

  @Nested
  class Index extends IndexContract {
    @Override
    protected StoreUnderTest open(Path folder) {
      return new DrivenStore(folder, new Log());
    }
  }

  @Nested
  class Concurrency extends ConcurrencyContract {
    @Override
    protected StoreUnderTest open(Path folder) {
      return new DrivenStore(folder, new Log());
    }
  }
}
