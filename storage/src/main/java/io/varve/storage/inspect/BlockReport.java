package io.varve.storage.inspect;

import io.varve.storage.sealed.TimeEncoding;
import io.varve.storage.sealed.ValueEncoding;
import java.util.EnumMap;
import java.util.Map;

/**
 * How the blocks of some files are used.
 *
 * @param plain blocks of plain rows
 * @param slabs blocks that hold sealed ones
 * @param free blocks that hold nothing, those of files made ahead included
 * @param sealed live sealed blocks
 * @param sealedBytes their bytes
 * @param deadBytes bytes of sealed blocks whose rows stand elsewhere by now
 * @param unusedBytes bytes past the last sealed block of each slab
 * @param movedBytes bytes of plain and sealed blocks that a newer generation of files replaces
 * @param byTime sealed blocks by how their timestamps are written, every encoding named
 * @param byValue sealed blocks by how their values are written, every encoding named
 */
public record BlockReport(
    long plain,
    long slabs,
    long free,
    long sealed,
    long sealedBytes,
    long deadBytes,
    long unusedBytes,
    long movedBytes,
    Map<TimeEncoding, Long> byTime,
    Map<ValueEncoding, Long> byValue) {

  public BlockReport {
    byTime = Map.copyOf(byTime);
    byValue = Map.copyOf(byValue);
  }

  /** The report on no blocks. */
  public static BlockReport none() {
    Map<TimeEncoding, Long> byTime = new EnumMap<>(TimeEncoding.class);
    for (TimeEncoding each : TimeEncoding.values()) {
      byTime.put(each, 0L);
    }
    Map<ValueEncoding, Long> byValue = new EnumMap<>(ValueEncoding.class);
    for (ValueEncoding each : ValueEncoding.values()) {
      byValue.put(each, 0L);
    }
    return new BlockReport(0, 0, 0, 0, 0, 0, 0, 0, byTime, byValue);
  }

  /** The report on these and others together. */
  public BlockReport plus(BlockReport other) {
    Map<TimeEncoding, Long> times = new EnumMap<>(byTime);
    other.byTime.forEach((encoding, count) -> times.merge(encoding, count, Long::sum));
    Map<ValueEncoding, Long> values = new EnumMap<>(byValue);
    other.byValue.forEach((encoding, count) -> values.merge(encoding, count, Long::sum));
    return new BlockReport(
        plain + other.plain,
        slabs + other.slabs,
        free + other.free,
        sealed + other.sealed,
        sealedBytes + other.sealedBytes,
        deadBytes + other.deadBytes,
        unusedBytes + other.unusedBytes,
        movedBytes + other.movedBytes,
        times,
        values);
  }
}
