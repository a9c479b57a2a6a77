package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.RowCursor;
import io.varve.storage.SensorId;
import io.varve.storage.chronicle.BlockFile;
import io.varve.storage.inspect.DayReport;
import io.varve.storage.inspect.Finding;
import io.varve.storage.inspect.PartitionReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** A copy of one day's files, open, and what is to be said about it. One thread at a time. */
public final class InspectedDay implements AutoCloseable {
  /** Most partitions named of an index that disagrees with the rows. */
  private static final int MOST_NAMED = 20;

  private final SegmentFiles files;
  private final int topicPartition;
  private final int day;
  private final DayCopy copy;
  private final List<Finding> findings = new ArrayList<>();
  private final SensorTable sensors = new SensorTable();

  /** The mappings that hold rows, the older generation first; none of a damaged day. */
  private final List<SegmentMap> maps = new ArrayList<>();

  private Optional<DayReport> report = Optional.empty();

  private InspectedDay(SegmentFiles files, int topicPartition, int day, Path temporary)
      throws IOException {
    this.files = files;
    this.topicPartition = topicPartition;
    this.day = day;
    this.copy = new DayCopy(temporary, this::damage);
  }

  static InspectedDay open(SegmentFiles files, int topicPartition, int day, Path temporary)
      throws IOException {
    InspectedDay inspected = new InspectedDay(files, topicPartition, day, temporary);
    try {
      inspected.report = Optional.of(inspected.look());
      return inspected;
    } catch (IOException | RuntimeException e) {
      inspected.close();
      throw e;
    }
  }

  /** What the day holds, and what is wrong with it. */
  public DayReport report() {
    return report.orElseThrow();
  }

  /** Whether its rows can be walked over: a day that is damaged opens only as far as its report. */
  public boolean readable() {
    return !maps.isEmpty();
  }

  /**
   * Walks over the rows of a sensor, oldest first: one walk for each shard. They are good until
   * this is closed.
   *
   * @throws CorruptBlockException if the day is damaged
   */
  public List<RowCursor> rows(SensorId sensor) {
    if (maps.isEmpty()) {
      throw new CorruptBlockException("day is damaged");
    }
    List<RowCursor> walks = new ArrayList<>();
    SensorEntry entry = sensors.find(sensor.utf8(), 0, sensor.length());
    for (SegmentMap map : maps) {
      for (Partition partition : map.partitions()) {
        if (partition.sensor == entry && !partition.moved()) {
          walks.add(new FileCursor(partition));
        }
      }
    }
    return walks;
  }

  @Override
  public void close() {
    copy.close();
  }

  // ---- looking

  private DayReport look() throws IOException {
    SegmentFiles.Found found = files.find(day);
    Optional<SegmentIndex> index = readIndex(found);
    copy.take(counting(found, index));
    boolean whole = findings.stream().noneMatch(each -> each.damage() && !isIndex(each));
    Optional<String> why = whole ? openMaps() : Optional.empty();
    DayScan scan = new DayScan(day, this::damage);
    int oldest = maps.isEmpty() ? Integer.MIN_VALUE : maps.get(0).generation;
    List<Integer> scanned = new ArrayList<>(copy.generations().tailMap(oldest).keySet());
    for (int i = scanned.size() - 1; i >= 0; i--) {
      scan.scan(copy.generations().getOrDefault(scanned.get(i), List.of()));
    }
    for (int older : copy.generations().headMap(oldest).keySet()) {
      noteLeftover(older);
    }
    boolean named = findings.stream().anyMatch(each -> each.damage() && !isIndex(each));
    if (why.isPresent() && !named) {
      damage("", why.get());
    }
    if (why.isEmpty() && whole && rows() != scan.rows()) {
      damage("", "rows do not add up: blocks=" + scan.rows() + " partitions=" + rows());
    }
    List<PartitionReport> partitions = scan.partitions();
    boolean sound = !maps.isEmpty() && findings.stream().noneMatch(Finding::damage);
    boolean indexed = sound && index.isPresent() && agrees(index.get(), partitions);
    long bytes = found.index ? Files.size(files.index(day)) : 0;
    for (Path path : found.blockFiles()) {
      bytes += Files.size(path);
    }
    return new DayReport(
        topicPartition,
        day,
        List.copyOf(found.generations.keySet()),
        found.blockFiles().size() + (found.index ? 1 : 0),
        bytes,
        form(),
        indexed,
        maps.isEmpty()
            ? index.map(SegmentIndex::incomplete).orElse(false)
            : maps.get(0).header.incomplete(),
        partitions,
        scan.blocks(),
        findings);
  }

  private DayReport.Form form() {
    return switch (maps.size()) {
      case 0 ->
          findings.stream().anyMatch(Finding::damage)
              ? DayReport.Form.DAMAGED
              : DayReport.Form.LIVE;
      case 1 -> maps.get(0).isTight() ? DayReport.Form.TIGHT : DayReport.Form.LIVE;
      default -> DayReport.Form.REWRITING;
    };
  }

  private long rows() {
    return maps.stream().mapToLong(SegmentMap::rows).sum();
  }

  private Optional<SegmentIndex> readIndex(SegmentFiles.Found found) throws IOException {
    if (!found.index) {
      return Optional.empty();
    }
    Optional<SegmentIndex> index = SegmentIndex.read(files.index(day), day);
    if (index.isEmpty()) {
      damage(indexName(), "index fails its checksum");
    } else if (!Recovery.isWhole(index.get(), found)) {
      damage(
          indexName(),
          "index names files that are not there, or too short: generation=%d files=%d next_files=%d"
              .formatted(index.get().generation(), index.get().files(), index.get().nextFiles()));
    }
    return index;
  }

  /** The generations that a start would look at. */
  private SortedMap<Integer, SegmentFiles.Generation> counting(
      SegmentFiles.Found found, Optional<SegmentIndex> index) {
    if (found.generations.isEmpty()) {
      damage("", "all block files of the day are missing");
    }
    boolean one = index.isPresent() && Recovery.isWhole(index.get(), found);
    if (!one || index.get().nextFiles() != 0) {
      return found.generations;
    }
    SortedMap<Integer, SegmentFiles.Generation> counting = new TreeMap<>();
    found.generations.forEach(
        (generation, each) -> {
          if (generation == index.get().generation()) {
            counting.put(generation, each);
          } else {
            noteLeftover(generation);
          }
        });
    return counting;
  }

  /** Opens what a start would open, on the copies; says why that can't be done. */
  private Optional<String> openMaps() {
    SortedMap<Integer, List<DayCopy.Copied>> copies = copy.generations();
    if (copies.size() == 1) {
      List<DayCopy.Copied> only = copies.getOrDefault(copies.firstKey(), List.of());
      if (holdsNothing(only)) {
        String what = "killed before the first use of the file, which goes at the next start";
        note(only.get(0).name(), what);
        return Optional.empty();
      }
    }
    try {
      int generation = copies.lastKey();
      do {
        List<DayCopy.Copied> each = copies.getOrDefault(generation, List.of());
        if (each.isEmpty() || each.get(0).file().blocks() < BlockSpace.RESERVED_BLOCKS) {
          throw new CorruptBlockException("files of a generation are missing: " + generation);
        }
        maps.add(0, open(generation--, each));
      } while (!maps.get(0).whole());
      if (maps.size() > 1) {
        maps.get(0).markMoved(maps.get(1));
      }
      return Optional.empty();
    } catch (CorruptBlockException e) {
      maps.clear();
      return Optional.of(copy.told(e));
    }
  }

  private static boolean holdsNothing(List<DayCopy.Copied> copies) {
    return !copies.isEmpty()
        && new SegmentHeader(copies.get(0).file()).isBlank()
        && copies.stream().allMatch(each -> Recovery.isBlank(each.file()));
  }

  private SegmentMap open(int generation, List<DayCopy.Copied> copies) {
    BlockFile first = copies.get(0).file();
    boolean armed = new UndoSlot(first.address(1)).isArmed();
    long plainRows = DayScan.plainRows(copies);
    SegmentMap map =
        SegmentMap.open(
            day,
            generation,
            copies.stream().map(DayCopy.Copied::file).toList(),
            new NoGrowth(),
            new Sealer(),
            sensors,
            true);
    if (armed || plainRows != DayScan.plainRows(copies)) {
      String what = "killed in the middle of a change, mended at the next start";
      note(copies.get(0).name(), what);
    }
    return map;
  }

  private boolean agrees(SegmentIndex index, List<PartitionReport> partitions) {
    Map<SegmentIndex.Entry, Boolean> missing = new HashMap<>();
    index.entries().forEach(entry -> missing.put(entry, true));
    List<String> differing = new ArrayList<>();
    for (PartitionReport each : partitions) {
      var entry = new SegmentIndex.Entry(each.sensor(), each.shard(), each.rows(), each.bytes());
      boolean named = missing.remove(entry) != null || missing.remove(withoutBytes(entry)) != null;
      if (!named) {
        differing.add("index does not name these: " + named(entry));
      }
    }
    missing
        .keySet()
        .forEach(entry -> differing.add("index names what is not there: " + named(entry)));
    if (index.tight() != (form() == DayReport.Form.TIGHT)) {
      differing.add("index is wrong about the form: tight=" + index.tight());
    }
    if (index.incomplete() != maps.get(0).header.incomplete()) {
      differing.add("index is wrong about missing rows: incomplete=" + index.incomplete());
    }
    differing.stream().sorted().limit(MOST_NAMED).forEach(what -> damage(indexName(), what));
    if (differing.size() > MOST_NAMED) {
      damage(indexName(), "index disagrees elsewhere: more=" + (differing.size() - MOST_NAMED));
    }
    return differing.isEmpty();
  }

  private static String named(SegmentIndex.Entry entry) {
    return "sensor=%s shard=%d rows=%d bytes=%d"
        .formatted(entry.sensor(), entry.shard(), entry.rows(), entry.bytes());
  }

  /** What an index says that is too old to name bytes. */
  private static SegmentIndex.Entry withoutBytes(SegmentIndex.Entry entry) {
    return new SegmentIndex.Entry(entry.sensor(), entry.shard(), entry.rows(), 0);
  }

  private String indexName() {
    return String.valueOf(files.index(day).getFileName());
  }

  private boolean isIndex(Finding finding) {
    return finding.file().equals(indexName());
  }

  private void noteLeftover(int generation) {
    note("", "files of another generation are deleted at the next start: generation=" + generation);
  }

  private void damage(String file, String what) {
    findings.add(new Finding(topicPartition, OptionalInt.of(day), file, what, true));
  }

  private void note(String file, String what) {
    findings.add(new Finding(topicPartition, OptionalInt.of(day), file, what, false));
  }

  /** A copy takes no rows, so it never grows. */
  private static final class NoGrowth implements BlockSpace.Growth {
    @Override
    public int blocks(int called, int expected) {
      return 1;
    }

    @Override
    public BlockFile make(int day, int generation, int index, int blocks) {
      throw new IllegalStateException("a copy takes no rows: day=" + day);
    }

    @Override
    public void askAhead(SegmentMap map) {
      throw new IllegalStateException("a copy takes no rows: day=" + map.day);
    }
  }
}
