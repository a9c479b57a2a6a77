package io.varve.storage.engine;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * What a store must remember beside its rows, in the text file {@code offsets}: one {@code
 * name=value} a line and a CRC-32C of the lines before it as the last. Replaced as a whole, on disk
 * before it counts.
 *
 * @param topicPartition topic partition of {@code rows}
 * @param topicPartitions partitions of {@code rows}, fixed for life
 * @param committed newest offset whose rows a completed force covers; empty: replay from the start
 * @param applied newest offset applied when this was written; the store answers once it is again
 * @param bootId the machine's boot when the store was open; another one means that pages may be
 *     lost
 * @param days days that had files, as {@link DayRanges}; one that is gone must come from the log
 *     again
 * @param floorDay days before it have left; only rises
 * @param cappedDays those of them that a cap in bytes made leave, as {@link DayRanges}
 * @param counters totals that can't be derived from the segments
 */
record StoreOffsets(
    int topicPartition,
    int topicPartitions,
    OptionalLong committed,
    long applied,
    String bootId,
    String days,
    int floorDay,
    String cappedDays,
    Counters counters) {
  private static final String FORMAT = "2";

  /** Before blocks stood in groups; read, no longer written. */
  private static final String OLDER = "1";

  /** Totals since the store was created. */
  record Counters(
      long expired,
      long capped,
      long late,
      long overwritten,
      long duplicates,
      long expiredOnArrival,
      long undecodable,
      long damagedSegments,
      long eventTimeMicros) {
    static final Counters ZERO = new Counters(0, 0, 0, 0, 0, 0, 0, 0, Long.MIN_VALUE);
  }

  /** Replaces the file. */
  void write(Path folder) throws IOException {
    StringBuilder text = new StringBuilder(400);
    line(text, "format", FORMAT);
    line(text, "topic_partition", topicPartition);
    line(text, "topic_partitions", topicPartitions);
    line(text, "committed", committed.isPresent() ? "" + committed.getAsLong() : "none");
    line(text, "applied", applied);
    line(text, "boot_id", bootId);
    line(text, "days", days);
    line(text, "floor_day", floorDay);
    line(text, "capped_days", cappedDays);
    line(text, "expired", counters.expired);
    line(text, "capped", counters.capped);
    line(text, "late", counters.late);
    line(text, "overwritten", counters.overwritten);
    line(text, "duplicates", counters.duplicates);
    line(text, "expired_on_arrival", counters.expiredOnArrival);
    line(text, "undecodable", counters.undecodable);
    line(text, "damaged_segments", counters.damagedSegments);
    line(text, "event_time_micros", counters.eventTimeMicros);
    line(text, "crc32c", crc(text));
    Path temporary = folder.resolve("offsets.tmp");
    DiskStep.WRITE_OFFSETS.before();
    try (FileOutputStream file = new FileOutputStream(temporary.toFile())) {
      file.write(text.toString().getBytes(StandardCharsets.UTF_8));
      file.getFD().sync();
    }
    DiskStep.WRITE_OFFSETS.after();
    DiskStep.PUT_OFFSETS.before();
    Files.move(temporary, folder.resolve("offsets"), StandardCopyOption.ATOMIC_MOVE);
    DiskStep.PUT_OFFSETS.after();
  }

  private static void line(StringBuilder text, String name, Object value) {
    text.append(name).append('=').append(value).append('\n');
  }

  private static String crc(CharSequence text) {
    CRC32C crc = new CRC32C();
    crc.update(text.toString().getBytes(StandardCharsets.UTF_8));
    return Long.toHexString(crc.getValue());
  }

  /** Reads the file; empty if there is none or it can't be believed. */
  static Optional<StoreOffsets> read(Path folder) throws IOException {
    String text;
    try {
      text = new String(Files.readAllBytes(folder.resolve("offsets")), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    int last = text.lastIndexOf("crc32c=");
    if (last < 0 || !text.substring(last).equals("crc32c=" + crc(text.substring(0, last)) + "\n")) {
      return Optional.empty();
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (String each : text.substring(0, last).split("\n")) {
      int equals = each.indexOf('=');
      values.put(each.substring(0, equals), each.substring(equals + 1));
    }
    if (!FORMAT.equals(values.get("format")) && !OLDER.equals(values.get("format"))) {
      throw new IOException(
          "the store was written by a newer version: folder="
              + folder
              + " format="
              + values.get("format"));
    }
    String committed = values.getOrDefault("committed", "none");
    return Optional.of(
        new StoreOffsets(
            (int) number(values, "topic_partition"),
            (int) number(values, "topic_partitions"),
            committed.equals("none")
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(committed)),
            Long.parseLong(values.getOrDefault("applied", "-1")),
            values.getOrDefault("boot_id", ""),
            values.getOrDefault("days", ""),
            (int) number(values, "floor_day"),
            values.getOrDefault("capped_days", ""),
            new Counters(
                number(values, "expired"),
                number(values, "capped"),
                number(values, "late"),
                number(values, "overwritten"),
                number(values, "duplicates"),
                number(values, "expired_on_arrival"),
                number(values, "undecodable"),
                number(values, "damaged_segments"),
                number(values, "event_time_micros"))));
  }

  private static long number(Map<String, String> values, String name) {
    return Long.parseLong(values.getOrDefault(name, "0"));
  }
}
