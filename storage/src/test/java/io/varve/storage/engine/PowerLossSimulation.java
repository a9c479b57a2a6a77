package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.InMemoryPartition;
import io.varve.storage.Seeded;
import io.varve.storage.chronicle.BlockFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a loss of power may leave: the names in the folder and the files of clean days as they are,
 * since those were forced; of every other file any page as it was at one of two moments, or never
 * written at all; the offsets of either moment.
 */
class PowerLossSimulation {
  private static final int RECORDS = 600;
  private static final int PAGE_BYTES = BlockFile.BLOCK_BYTES;

  @Seeded(runs = 20, fullRuns = 200)
  void mixedPagesAreNeverServedAndNothingIsLost(RandomGenerator random, @TempDir Path folder)
      throws IOException {
    RecordStream stream = new RecordStream(random.nextLong(), 12, 400);
    Log log = new Log();
    InMemoryPartition model = new InMemoryPartition(DrivenStore.TOPIC_PARTITION);
    Path before = folder.resolve("before");
    Path after = folder.resolve("after");
    try (DrivenStore driven = new DrivenStore(folder.resolve("store"), log)) {
      run(driven, stream, log, model, random);
      DrivenStore.copyFolder(folder.resolve("store"), before);
      run(driven, stream, log, model, random);
      DrivenStore.copyFolder(folder.resolve("store"), after);
    }
    Path mixed = folder.resolve("mixed");
    mix(before, after, mixed, random);
    reboot(mixed, random.nextBoolean() ? before : after);
    try (DrivenStore opened = new DrivenStore(mixed, log)) {
      Sameness.assertSame(opened.reader(), model);
      opened.compact();
      Sameness.assertSame(opened.reader(), model);
    }
  }

  private static void run(
      DrivenStore driven,
      RecordStream stream,
      Log log,
      InMemoryPartition model,
      RandomGenerator random) {
    int records = 1 + random.nextInt(RECORDS);
    for (int i = 0; i < records; i++) {
      byte[] record = stream.at(log.end());
      driven.append(record);
      Log.put(model, record, log.end() - 1);
      switch (random.nextInt(200)) {
        case 0 -> driven.reopen(); // every day is clean then
        case 1 -> driven.compact();
        case 2, 3, 4 -> driven.store().commit(log.end() - 1);
        default -> {}
      }
    }
  }

  private static void mix(Path before, Path after, Path mixed, RandomGenerator random)
      throws IOException {
    Files.createDirectories(mixed);
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(after)) {
      paths.forEach(files::add);
    }
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (Files.isDirectory(file)) {
        continue;
      }
      byte[] bytes = Files.readAllBytes(file);
      String day = name.split("\\.")[0];
      boolean clean = Files.exists(after.resolve(day + ".index"));
      if (name.endsWith(".blocks") && !clean) {
        Path old = before.resolve(name);
        mixPages(bytes, Files.exists(old) ? Files.readAllBytes(old) : new byte[0], random);
      }
      Files.write(mixed.resolve(name), bytes);
    }
  }

  private static void mixPages(byte[] bytes, byte[] old, RandomGenerator random) {
    int share = random.nextInt(101);
    for (int at = 0; at < bytes.length; at += PAGE_BYTES) {
      if (random.nextInt(100) < share) {
        for (int i = at; i < Math.min(at + PAGE_BYTES, bytes.length); i++) {
          bytes[i] = i < old.length ? old[i] : 0;
        }
      }
    }
  }

  /** Puts one moment's offsets in place, as written under another boot of the machine. */
  private static void reboot(Path store, Path moment) throws IOException {
    Optional<StoreOffsets> offsets = StoreOffsets.read(moment);
    assertThat(offsets).isPresent();
    StoreOffsets known = offsets.orElseThrow();
    new StoreOffsets(
            known.topicPartition(),
            known.topicPartitions(),
            known.committed(),
            known.applied(),
            "another-boot",
            known.days(),
            known.floorDay(),
            known.cappedDays(),
            known.counters())
        .write(store);
  }
}
