package io.varve.load.target;

import io.varve.schemas.ReadingDecoder;
import io.varve.schemas.ReadingSink;
import io.varve.schemas.Undecodable;
import io.varve.schemas.WriterSchemas;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A target that keeps rows in sorted maps and acknowledges at once, and that does one thing wrong
 * with one row in so many if told so. Single-threaded unless locked from outside.
 */
public final class MemoryTarget implements Target, InstantSink {
  private static final long FEBRUARY_1970 = 31 * 86_400_000_000L;
  private static final long YEAR_2900 = 29_348_000_000_000_000L;

  /** What it does wrong. */
  public enum Wrong {
    NOTHING,
    DROPS,
    REPEATS,
    REORDERS,
    ALTERS,
    INVENTS,
    IGNORES_CORRECTIONS,
    SHOWS_OLD_LATEST,
    LOSES_POISON
  }

  private record Key(long timestamp, long sequence) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int order = Long.compare(timestamp, other.timestamp);
      return order != 0 ? order : Long.compare(sequence, other.sequence);
    }
  }

  private final Wrong wrong;
  private final long oneIn;
  private final Map<String, NavigableMap<Key, Long>> sensors = new TreeMap<>();
  private final ReadingDecoder decoder = new ReadingDecoder(WriterSchemas.released());
  private long applied;
  private long shown;
  private long refused;
  private long deadLettered;

  public MemoryTarget(Wrong wrong, long oneIn) {
    this.wrong = wrong;
    this.oneIn = oneIn;
  }

  /** Rows of all sensors. */
  public synchronized long rows() {
    return sensors.values().stream().mapToLong(Map::size).sum();
  }

  @Override
  public String describe() {
    return "memory that " + wrong;
  }

  @Override
  public RecordSink openSink() {
    return this;
  }

  @Override
  public synchronized void send(byte[] key, byte[] record, Delivery delivery) {
    boolean undecodable =
        decoder
            .decode(
                record,
                new ReadingSink() {
                  @Override
                  public void reading(
                      byte[] id,
                      int idOffset,
                      int idLength,
                      boolean hasTimestamp,
                      long timestampMicros,
                      boolean hasValue,
                      double value,
                      long sequence) {
                    String name = new String(id, idOffset, idLength, StandardCharsets.UTF_8);
                    apply(name, timestampMicros, sequence, Double.doubleToRawLongBits(value));
                  }

                  @Override
                  public void unusable(Undecodable fault) {
                    throw new AssertionError(fault);
                  }
                })
            .isPresent();
    deadLettered += undecodable && wrong != Wrong.LOSES_POISON ? 1 : 0;
    delivery.acknowledged();
  }

  private void apply(String name, long timestamp, long sequence, long value) {
    if (name.isEmpty() || timestamp < FEBRUARY_1970 || timestamp > YEAR_2900) {
      refused++;
      return;
    }
    applied++;
    NavigableMap<Key, Long> rows = sensors.computeIfAbsent(name, n -> new TreeMap<>());
    Key key = new Key(timestamp, sequence);
    boolean now = applied % oneIn == 0;
    if (now && wrong == Wrong.DROPS && !name.contains("marker")) {
      return;
    }
    if (wrong == Wrong.IGNORES_CORRECTIONS && rows.containsKey(key)) {
      return;
    }
    if (now && wrong == Wrong.INVENTS) {
      rows.put(new Key(timestamp + 1, sequence), value);
    }
    rows.put(key, now && wrong == Wrong.ALTERS ? value ^ 1 : value);
  }

  @Override
  public Queries openQueries() {
    return new Answers();
  }

  /** Pages are resumed by an index into the whole answer, which is enough for a test. */
  private final class Answers implements Queries {
    @Override
    public void rows(RowsQuery query, Optional<String> token, RowPage page) {
      synchronized (MemoryTarget.this) {
        page.clear();
        int from = token.map(Integer::parseInt).orElse(0);
        List<Map.Entry<Key, Long>> all = select(query);
        int to = (int) Math.min(all.size(), (long) from + query.limit());
        for (int i = from; i < to; i++) {
          shown++;
          boolean now = shown % oneIn == 0;
          if (now && wrong == Wrong.REORDERS && i + 1 < to) {
            add(page, all.get(i + 1));
            add(page, all.get(i));
            i++;
            continue;
          }
          add(page, all.get(i));
          if (now && wrong == Wrong.REPEATS && page.size() < query.limit()) {
            add(page, all.get(i));
          }
        }
        page.end(
            to < all.size() ? Optional.of(String.valueOf(to)) : Optional.empty(),
            page.size() == query.limit() || to == all.size());
      }
    }

    private List<Map.Entry<Key, Long>> select(RowsQuery query) {
      NavigableMap<Key, Long> rows = sensors.getOrDefault(query.sensor(), new TreeMap<>());
      NavigableMap<Key, Long> range =
          rows.subMap(
              new Key(query.fromMicros().orElse(Long.MIN_VALUE), Long.MIN_VALUE),
              true,
              new Key(query.toMicros().orElse(Long.MAX_VALUE), Long.MIN_VALUE),
              false);
      return new ArrayList<>((query.newestFirst() ? range.descendingMap() : range).entrySet());
    }

    private static void add(RowPage page, Map.Entry<Key, Long> row) {
      page.add(row.getKey().timestamp, row.getKey().sequence, row.getValue());
    }

    @Override
    public void buckets(String sensor, long from, long to, long step, RowPage page) {
      page.clear();
      page.end(Optional.empty(), true);
    }

    @Override
    public void latest(List<String> names, RowPage page) {
      synchronized (MemoryTarget.this) {
        page.clear();
        for (String name : names) {
          NavigableMap<Key, Long> rows = sensors.getOrDefault(name, new TreeMap<>());
          shown++;
          boolean old = wrong == Wrong.SHOWS_OLD_LATEST && shown % oneIn == 0 && rows.size() > 1;
          Map.Entry<Key, Long> last = rows.lastEntry();
          if (last == null) {
            page.add(Queries.NONE, 0, 0);
          } else {
            Map.Entry<Key, Long> before = rows.lowerEntry(last.getKey());
            add(page, old && before != null ? before : last);
          }
        }
        page.end(Optional.empty(), true);
      }
    }

    @Override
    public Optional<TargetStatus> status() {
      synchronized (MemoryTarget.this) {
        return Optional.of(
            new TargetStatus(
                new TreeMap<>(Map.of("readings-0", 0L)),
                MemoryTarget.this.rows(),
                0,
                0,
                refused,
                Map.of(),
                deadLettered,
                "memory"));
      }
    }

    @Override
    public void close() {}
  }
}
