package io.varve.storage.engine;

import io.varve.storage.Arrivals;
import io.varve.storage.SensorId;
import io.varve.storage.inspect.Finding;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;

/**
 * A look at the files of a store that nobody has open, which changes none of them.
 *
 * <p>Opening a day as a store does undoes what was half done, and Chronicle writes into whatever it
 * opens. So each day is copied to a temporary folder first, and the copy is opened: what is told is
 * exactly what the next start would find. The caller sees to it that no node starts meanwhile.
 *
 * <p>One thread at a time.
 */
public final class StoreInspector {
  private final Path folder;
  private final int topicPartition;
  private final Path temporary;
  private final SegmentFiles files;

  /**
   * @param folder the store's
   * @param topicPartition topic partition of {@code rows} that it should hold
   * @param temporary an existing folder with room for a copy of one day
   */
  public StoreInspector(Path folder, int topicPartition, Path temporary) {
    this.folder = folder;
    this.topicPartition = topicPartition;
    this.temporary = temporary;
    this.files = new SegmentFiles(folder);
  }

  /** Topic partition of {@code rows}. */
  public int topicPartition() {
    return topicPartition;
  }

  /** Days that have files, ascending. */
  public SortedSet<Integer> days() throws IOException {
    return files.days();
  }

  /**
   * Opens a copy of one day. It may be damaged: its report says so.
   *
   * @throws IOException if its files can't be read, or there is no room for a copy
   */
  public InspectedDay open(int day) throws IOException {
    return InspectedDay.open(files, topicPartition, day, temporary);
  }

  /**
   * Whether a day may have rows of a sensor. Cheap where it has a true index; true where only its
   * rows could tell.
   */
  public boolean mayHold(SensorId sensor, int day) throws IOException {
    Optional<SegmentIndex> index = SegmentIndex.read(files.index(day), day);
    return index.isEmpty()
        || !Recovery.isWhole(index.get(), files.find(day))
        || index.get().entries().stream().anyMatch(entry -> entry.sensor().equals(sensor));
  }

  /**
   * How the store's rows came, as it counted them when it last wrote that down; empty where that
   * can't be read. Rows that are still there are not in {@code stored}: their files tell them.
   */
  public Optional<Arrivals> arrivals() {
    try {
      return StoreOffsets.read(folder)
          .map(StoreOffsets::counters)
          .map(
              counters ->
                  new Arrivals(
                      counters.expired() + counters.capped(),
                      counters.late(),
                      counters.overwritten(),
                      counters.duplicates()));
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // findings() says why
    }
  }

  /** What there is to say about the store as a whole, without a look into its days. */
  public List<Finding> findings() throws IOException {
    List<Finding> findings = new ArrayList<>();
    SortedSet<Integer> days = days();
    Optional<StoreOffsets> offsets = Optional.empty();
    try {
      offsets = StoreOffsets.read(folder);
      boolean there = Files.exists(folder.resolve("offsets"));
      if (offsets.isEmpty() && (there || !days.isEmpty())) {
        String what = there ? "fails its checksum" : "is missing: the whole log is replayed";
        findings.add(about(OptionalInt.empty(), "offsets", what, there));
      }
    } catch (IOException | RuntimeException e) {
      findings.add(
          about(OptionalInt.empty(), "offsets", "can't be understood: " + e.getMessage(), true));
    }
    offsets.ifPresent(known -> compare(known, days, findings));
    noteLeftovers(findings);
    return findings;
  }

  private void compare(StoreOffsets offsets, SortedSet<Integer> days, List<Finding> findings) {
    if (offsets.topicPartition() != topicPartition) {
      String what = "belongs to another topic partition: holds=" + offsets.topicPartition();
      findings.add(about(OptionalInt.empty(), "offsets", what, true));
    }
    for (int day : DayRanges.parse(offsets.days())) {
      if (day >= offsets.floorDay() && !days.contains(day)) {
        findings.add(about(OptionalInt.of(day), "", "all files of the day are gone", true));
      }
    }
    boolean sameBoot = offsets.bootId().equals(BootId.read());
    for (int day : days) {
      if (day < offsets.floorDay()) {
        String what = "day has expired and is deleted at the next start";
        findings.add(about(OptionalInt.of(day), "", what, false));
      } else if (!sameBoot && !Files.exists(files.index(day))) {
        String what =
            "day was in use in an earlier boot of the machine, or on another one, and comes from"
                + " the log again at the next start";
        findings.add(about(OptionalInt.of(day), "", what, false));
      }
    }
  }

  private void noteLeftovers(List<Finding> findings) throws IOException {
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        String name = path.getFileName().toString();
        if (SegmentFiles.isUnfinished(name)) {
          String what = "is unfinished and deleted at the next start";
          findings.add(about(OptionalInt.empty(), name, what, false));
        } else if (name.equals("damaged")) {
          String what = "holds files of damaged days that a start set aside";
          findings.add(about(OptionalInt.empty(), name, what, false));
        }
      }
    }
  }

  private Finding about(OptionalInt day, String file, String what, boolean damage) {
    return new Finding(topicPartition, day, file, what, damage);
  }
}
