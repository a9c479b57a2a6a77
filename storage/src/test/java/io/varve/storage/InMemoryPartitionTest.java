package io.varve.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class InMemoryPartitionTest {
  private static final SensorId PUMP = SensorId.of("pump");
  private static final Scan ALL =
      new Scan(TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), 100);

  private final InMemoryPartition partition = new InMemoryPartition(3);

  @Nested
  class Walks extends WalkContract {
    @Override
    protected StoreUnderTest open(Path folder) {
      return new Driven();
    }
  }

  @Nested
  class Index extends IndexContract {
    @Override
    protected StoreUnderTest open(Path folder) {
      return new Driven();
    }
  }

  @Nested
  class Concurrency extends ConcurrencyContract {
    @Override
    protected StoreUnderTest open(Path folder) {
      return new Driven();
    }
  }

  @Test
  void cursorLeftOpenIsCounted() {
    RowCursor cursor = partition.read(PUMP, new Fragment(0, 0, 1), ALL, new ReadStats());
    assertThat(partition.openCursors()).isEqualTo(1);
    assertThatThrownBy(partition::assertNoOpenCursors).isInstanceOf(AssertionError.class);
    cursor.close();
    partition.assertNoOpenCursors();
  }

  @Test
  void misusedCursorThrows() {
    partition.put(PUMP, 0, new Row(0, 0, 1), 0);
    RowCursor cursor = partition.read(PUMP, new Fragment(0, 0, 1), ALL, new ReadStats());
    assertThatThrownBy(cursor::value).isInstanceOf(IllegalStateException.class);
    assertThat(cursor.next()).isTrue();
    assertThat(cursor.next()).isFalse();
    assertThat(cursor.next()).isFalse();
    assertThatThrownBy(cursor::value).isInstanceOf(IllegalStateException.class);
    cursor.close();
    assertThatThrownBy(cursor::close).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(cursor::next).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void storeThatDoesNotServeAnswersNothing() {
    partition.state(StoreState.RESTORING);
    assertThatThrownBy(() -> partition.newest(PUMP))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("state=RESTORING");
    assertThat(partition.totals().stored()).isZero();
    assertThat(partition.freshness().topicPartition()).isEqualTo(3);
  }

  /** Drives the model; what it keeps over a reopening is all of it. */
  private static final class Driven implements StoreUnderTest {
    private final InMemoryPartition partition = new InMemoryPartition(3);
    private long nextOffset;

    @Override
    public PartitionReader reader() {
      return partition;
    }

    @Override
    public void apply(SensorId sensor, int shard, List<Row> rows) {
      rows.forEach(row -> partition.put(sensor, shard, row, nextOffset));
      nextOffset++;
    }

    @Override
    public void expire(int floorDay) {
      partition.expire(floorDay);
    }

    @Override
    public void reopen() {
      partition.assertNoOpenCursors();
    }

    @Override
    public void close() {
      partition.assertNoOpenCursors();
    }
  }
}
