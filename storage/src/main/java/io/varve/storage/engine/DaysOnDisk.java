package io.varve.storage.engine;

import java.io.IOException;
import java.util.Optional;
import java.util.SortedSet;

/**
 * The days of a store as files: taken into use when it opens, left clean or set aside when it
 * closes. Belongs to the store's owner, as {@link Recovery} does.
 */
final class DaysOnDisk {
  private final Contents contents;
  private final Upkeep upkeep;

  /** Days that had files when the offsets were last written. */
  private final SortedSet<Integer> expected;

  /** Whether the kernel has kept every page since. */
  private final boolean sameBoot;

  private long logBegin = -1;
  private long logEnd = -1;

  /**
   * @param known what the store had written when it was last open
   */
  DaysOnDisk(Contents contents, Upkeep upkeep, Optional<StoreOffsets> known) {
    this.contents = contents;
    this.upkeep = upkeep;
    this.expected = DayRanges.parse(known.map(StoreOffsets::days).orElse(""));
    this.sameBoot = known.isPresent() && known.get().bootId().equals(upkeep.bootId());
  }

  /** Tells what the log holds now; before {@link #recover}. */
  void logBounds(long beginOffset, long endOffset) {
    logBegin = beginOffset;
    logEnd = endOffset;
  }

  /** Takes into use what the files hold and can be believed, as of the committed offset. */
  void recover() throws IOException {
    contents.servingFrom = new Recovery(contents, logBegin, logEnd).run(expected, sameBoot);
    contents.offsets(upkeep.bootId(), contents.committed).write(contents.files.folder);
    contents.applied = contents.committed;
  }

  /**
   * Sets damaged days aside, closes the others clean, and records how far the log is covered.
   *
   * @throws IOException if a day could not be left clean; all are closed nevertheless
   */
  void leave(SortedSet<Integer> damaged) throws IOException {
    long covered = damaged.isEmpty() ? contents.applied : contents.committed;
    for (int day : damaged.tailSet(contents.floorDay)) {
      setAside(day);
      covered = Math.min(covered, contents.committed);
    }
    closeAll();
    contents.offsets(upkeep.bootId(), covered).write(contents.files.folder);
  }

  private void setAside(int day) throws IOException {
    Segment segment = contents.segments.remove(day);
    if (segment != null) {
      segment.drop();
      segment.close(segment.detach());
    }
    new Recovery(contents, logBegin, logEnd).rebuildLater(day);
  }

  /** Closes every day, also those after one that could not be left clean. */
  private void closeAll() throws IOException {
    IOException failure = null;
    for (Segment segment : contents.segments.values()) {
      try {
        upkeep.idle().close(segment);
      } catch (IOException e) {
        failure = e;
      }
      segment.drop();
      segment.close(segment.detach());
    }
    if (failure != null) {
      throw failure;
    }
  }
}
