package io.varve.storage.engine;

import io.varve.storage.SensorId;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * What a closed-file day holds, so that the store starts without opening it; also its clean mark:
 * the index exists only while every change of the day is on disk.
 *
 * <p>File {@code YYYY-MM-DD.index}, big endian:
 *
 * <pre>
 *   magic 8 "VARVEIDX"   format 4 = 3   day 4   flags 4 (bit 0: incomplete, bit 1: tight)
 *   first offset 8   last offset 8   generation 4   files 4   files of the next generation 4
 *   count 4
 *   count × ( id length 2, id, shard 4, rows 8, bytes 8 )      in bytewise order of (id, shard)
 *   CRC-32C of all that 4
 * </pre>
 *
 * <p>In format 2 partitions had no bytes.
 *
 * @param day UTC day number
 * @param incomplete whether rows are known to be missing
 * @param tight whether every row is sealed, in files as large as what they hold
 * @param firstOffset no row comes from an older offset of the rows topic
 * @param lastOffset newest offset that touched the day
 * @param generation of the block files
 * @param files how many there are
 * @param nextFiles block files of the next generation, into which the day was being rewritten; 0
 *     otherwise
 * @param entries the partitions
 */
record SegmentIndex(
    int day,
    boolean incomplete,
    boolean tight,
    long firstOffset,
    long lastOffset,
    int generation,
    int files,
    int nextFiles,
    List<SegmentIndex.Entry> entries) {
  private static final long MAGIC = 0x5641525645494458L;
  private static final int FORMAT = 3;
  private static final int FORMAT_WITHOUT_BYTES = 2;
  private static final int INCOMPLETE = 1;
  private static final int TIGHT = 2;

  /**
   * One partition.
   *
   * @param bytes what its blocks take; 0 where the index is too old to say
   */
  record Entry(SensorId sensor, int shard, long rows, long bytes) {}

  /** Describes a mapped segment that is not being written to. */
  static SegmentIndex of(SegmentMap map, @Nullable SegmentMap next) {
    List<Entry> entries = new ArrayList<>();
    add(map, entries);
    if (next != null) {
      add(next, entries);
    }
    entries.sort(
        (a, b) -> {
          int bySensor = a.sensor.compareTo(b.sensor);
          return bySensor != 0 ? bySensor : Integer.compare(a.shard, b.shard);
        });
    return new SegmentIndex(
        map.day,
        map.header.incomplete(),
        next == null && map.isTight(),
        map.header.firstOffset(),
        next == null
            ? map.header.lastOffset()
            : Math.max(map.header.lastOffset(), next.header.lastOffset()),
        map.generation,
        map.space.fileCount(),
        next == null ? 0 : next.space.fileCount(),
        entries);
  }

  private static void add(SegmentMap map, List<Entry> entries) {
    for (Partition partition : map.partitions()) {
      if (partition.rows() > 0 && !partition.moved()) {
        entries.add(
            new Entry(partition.sensor.id, partition.shard, partition.rows(), partition.bytes()));
      }
    }
  }

  long rows() {
    long sum = 0;
    for (Entry entry : entries) {
      sum += entry.rows;
    }
    return sum;
  }

  /** Writes the index to a file and waits until it is on disk. */
  void write(Path path) throws IOException {
    DiskStep.WRITE_INDEX.before();
    try (FileOutputStream file = new FileOutputStream(path.toFile())) {
      CheckedOutputStream checked =
          new CheckedOutputStream(new BufferedOutputStream(file, 1 << 16), new CRC32C());
      DataOutputStream out = new DataOutputStream(checked);
      out.writeLong(MAGIC);
      out.writeInt(FORMAT);
      out.writeInt(day);
      out.writeInt((incomplete ? INCOMPLETE : 0) | (tight ? TIGHT : 0));
      out.writeLong(firstOffset);
      out.writeLong(lastOffset);
      out.writeInt(generation);
      out.writeInt(files);
      out.writeInt(nextFiles);
      out.writeInt(entries.size());
      for (Entry entry : entries) {
        out.writeShort(entry.sensor.length());
        out.write(entry.sensor.toBytes());
        out.writeInt(entry.shard);
        out.writeLong(entry.rows);
        out.writeLong(entry.bytes);
      }
      out.writeInt((int) checked.getChecksum().getValue());
      out.flush();
      file.getFD().sync();
    }
    DiskStep.WRITE_INDEX.after();
  }

  /** Reads an index; empty if there is none or it is damaged. */
  static Optional<SegmentIndex> read(Path path, int expectedDay) throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(path);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    int body = bytes.length - 4;
    if (body < 52) {
      return Optional.empty();
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, body);
    if (ByteBuffer.wrap(bytes).getInt(body) != (int) crc.getValue()) {
      return Optional.empty();
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, 0, body));
    boolean isIndex = in.readLong() == MAGIC;
    int format = in.readInt();
    boolean known = format == FORMAT || format == FORMAT_WITHOUT_BYTES;
    if (!isIndex || !known || in.readInt() != expectedDay) {
      return Optional.empty();
    }
    int flags = in.readInt();
    long firstOffset = in.readLong();
    long lastOffset = in.readLong();
    int generation = in.readInt();
    int files = in.readInt();
    int nextFiles = in.readInt();
    int count = in.readInt();
    List<Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      byte[] id = in.readNBytes(in.readUnsignedShort());
      entries.add(
          new Entry(
              SensorId.of(id, 0, id.length),
              in.readInt(),
              in.readLong(),
              format == FORMAT ? in.readLong() : 0));
    }
    return Optional.of(
        new SegmentIndex(
            expectedDay,
            (flags & INCOMPLETE) != 0,
            (flags & TIGHT) != 0,
            firstOffset,
            lastOffset,
            generation,
            files,
            nextFiles,
            entries));
  }
}
