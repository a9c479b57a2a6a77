package io.varve.storage.engine;

import io.varve.storage.DayStats;
import io.varve.storage.ShardVisitor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * What one store takes on disk, day by day. Thread-safe; nothing here holds up the writer.
 *
 * <p>Bytes are lengths of files. The disk is reserved for the whole of a block file when it is
 * made, so that its length is what it takes.
 */
public final class StoreDisk {
  private final Contents contents;

  StoreDisk(Contents contents) {
    this.contents = contents;
  }

  /** Bytes of all days. */
  public long bytes() {
    return contents.files.bytes();
  }

  /** Bytes of each day, ascending; a view that changes with the files. */
  public SortedMap<Integer, Long> bytesByDay() {
    return contents.files.bytesByDay();
  }

  /** Rows of a day; 0 for one that is not here. */
  public long rows(int day) {
    Segment segment = contents.segment(day);
    return segment == null ? 0 : segment.rows();
  }

  /** Looks at every day, see {@link io.varve.storage.PartitionReader#inspect}. */
  List<DayStats> inspect(ShardVisitor visitor) throws IOException {
    List<DayStats> days = new ArrayList<>();
    for (Segment segment : contents.segments.values()) {
      long[] sums = new long[2];
      segment.visit(
          (day, rows, bytes) -> {
            sums[0]++;
            sums[1] += rows;
            visitor.shard(day, rows, bytes);
          });
      days.add(
          new DayStats(
              segment.day,
              sums[0],
              sums[1],
              bytesByDay().getOrDefault(segment.day, 0L),
              form(segment),
              segment.indexed()));
    }
    return days;
  }

  private static DayStats.Form form(Segment segment) {
    if (segment.next() != null) {
      return DayStats.Form.REWRITING;
    }
    return segment.isTight() ? DayStats.Form.TIGHT : DayStats.Form.LIVE;
  }

  /** Days that {@link PartitionStore#dropBefore} has dropped since the store was made. */
  public SortedSet<Integer> cappedDays() {
    return Collections.unmodifiableSortedSet(contents.cappedDays);
  }
}
