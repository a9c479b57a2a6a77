package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.Row;
import io.varve.storage.SensorId;
import io.varve.storage.ShardSize;
import io.varve.storage.ShardSizes;
import io.varve.storage.UtcDay;
import io.varve.storage.inspect.PartitionReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How large shards are, told from the blocks that they hold, whatever became of the store. */
class GuardrailTest {
  private static final SensorId BUSY = SensorId.of("busy");
  private static final SensorId CALM = SensorId.of("calm");
  private static final int DAY = 20_000;
  private static final int ROWS = 5_000;
  private static final long MAX_BYTES = 20_000;

  private final Path folder;
  private final Path temporary;
  private final Log log = new Log();

  GuardrailTest(@TempDir Path folder) throws IOException {
    this.folder = folder.resolve("store");
    this.temporary = Files.createDirectories(folder.resolve("temporary"));
  }

  private DrivenStore open(long maxBytes, long maxRows) {
    return new DrivenStore(folder, log, DrivenStore.settings().withGuardrail(maxBytes, maxRows));
  }

  /** One sensor with many rows that don't compress, another with few, on two days. */
  private static void fill(DrivenStore driven) {
    SplittableRandom random = new SplittableRandom(1);
    for (int day = DAY; day < DAY + 2; day++) {
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        long micros = UtcDay.startMicros(day) + i * 10_000_000L + random.nextInt(1000);
        rows.add(new Row(micros, 0, random.nextDouble()));
      }
      driven.apply(BUSY, 0, rows);
      driven.apply(CALM, 0, rows.subList(0, 10));
    }
  }

  /** Rows that belong between those of the busy sensor. */
  private static void fillLate(DrivenStore driven) {
    for (int i = 0; i < 500; i++) {
      long micros = UtcDay.startMicros(DAY) + i * 97_000_001L + 1;
      driven.apply(BUSY, 0, List.of(new Row(micros, 1, i)));
    }
  }

  private static void assertBusyShardsAreOver(DrivenStore driven, int shards) {
    ShardSizes sizes = driven.store().shardSizes();
    assertThat(sizes.overGuardrail()).isEqualTo(shards);
    assertThat(sizes.largest().map(ShardSize::sensor)).contains(BUSY);
  }

  @Test
  void shardsOverTheGuardrailAreKnownThroughTheirLives() {
    try (DrivenStore driven = open(MAX_BYTES, 0)) {
      assertThat(driven.store().shardSizes()).isEqualTo(ShardSizes.NONE);
      fill(driven);
      assertBusyShardsAreOver(driven, 2);
      ShardSizes before = driven.store().shardSizes();
      driven.reopen(); // from the indexes, no day is opened
      assertThat(driven.store().totals().openSegments()).isZero();
      assertThat(driven.store().shardSizes()).isEqualTo(before);
      fillLate(driven);
      assertBusyShardsAreOver(driven, 2);
      assertThat(bytes(driven)).isGreaterThan(before.largest().orElseThrow().bytes());
      before = driven.store().shardSizes();
      driven.killAndReopen(folder.resolveSibling("killed")); // from the blocks
      assertThat(driven.store().totals().openSegments()).isPositive();
      assertThat(driven.store().shardSizes()).isEqualTo(before);
      driven.compact();
      assertBusyShardsAreOver(driven, 2);
      assertThat(bytes(driven)).isLessThan(before.largest().orElseThrow().bytes());
      driven.expire(DAY + 1);
      assertBusyShardsAreOver(driven, 1);
    }
  }

  private static long bytes(DrivenStore driven) {
    return driven.store().shardSizes().largest().orElseThrow().bytes();
  }

  @Test
  void bytesAreThoseThatAnInspectionFinds() throws IOException {
    try (DrivenStore driven = open(MAX_BYTES, 0)) {
      fill(driven);
      fillLate(driven);
    }
    assertInspectionAgrees(); // as the rows came
    try (DrivenStore driven = open(MAX_BYTES, 0)) {
      driven.compact();
      fillLate(driven);
    }
    assertInspectionAgrees(); // rewritten
  }

  private void assertInspectionAgrees() throws IOException {
    List<PartitionReport> found = new ArrayList<>();
    StoreInspector inspector = new StoreInspector(folder, DrivenStore.TOPIC_PARTITION, temporary);
    for (int day : inspector.days()) {
      try (InspectedDay inspected = inspector.open(day)) {
        assertThat(inspected.report().findings()).as("index and blocks agree").isEmpty();
        found.addAll(inspected.report().partitions());
      }
    }
    try (DrivenStore driven = open(MAX_BYTES, 0)) {
      ShardSize largest = driven.store().shardSizes().largest().orElseThrow();
      PartitionReport most =
          found.stream().max(Comparator.comparingLong(PartitionReport::bytes)).orElseThrow();
      assertThat(largest.bytes()).isEqualTo(most.bytes());
      assertThat(largest.rows()).isEqualTo(most.rows());
    }
  }

  @Test
  void rowsCountWhereTheyAreGuarded() {
    try (DrivenStore driven = open(0, ROWS - 1)) {
      fill(driven);
      assertBusyShardsAreOver(driven, 2);
    }
    try (DrivenStore driven = open(0, ROWS)) {
      assertBusyShardsAreOver(driven, 0);
    }
    try (DrivenStore driven = open(0, 0)) {
      assertBusyShardsAreOver(driven, 0);
    }
  }

  @Test
  void partitionIsToldOfOnceHoweverOftenItGrows() throws IOException {
    Files.createDirectories(folder);
    Contents contents =
        new Contents(
            3, DrivenStore.settings().withGuardrail(0, 0), new SegmentFiles(folder), map -> {});
    SegmentMap map = contents.createSegment(DAY, 0);
    SensorEntry sensor = contents.sensors.findOrAdd(BUSY.utf8(), 0, BUSY.length());
    Partition partition = map.partitionOrNew(sensor, 0);
    Guardrail guardrail = new Guardrail(3, MAX_BYTES, 0);
    int told = 0;
    for (int i = 0; i < ROWS; i++) {
      partition.put(UtcDay.startMicros(DAY) + i, 0, Double.doubleToRawLongBits(Math.sqrt(i)));
      told += guardrail.check(partition) ? 1 : 0;
      assertThat(told).isEqualTo(partition.bytes() > MAX_BYTES ? 1 : 0);
    }
    assertThat(told).isOne();
    Segment segment = Objects.requireNonNull(contents.segment(DAY));
    segment.close(segment.detach());
  }

  @Test
  void sensorsInLogLinesAreQuotedAndHideNothing() {
    assertThat(SensorId.of("plant-3/Zürich").quoted()).isEqualTo("\"plant-3/Zürich\"");
    assertThat(SensorId.of("a\" b\\").quoted()).isEqualTo("\"a\\\" b\\\\\"");
    assertThat(SensorId.of("a\u202eb\u2028c").quoted()).isEqualTo("\"a\\u{202e}b\\u{2028}c\"");
  }

  @Test
  void indexOfTheFormerFormatIsReadWithoutBytes() throws IOException {
    try (DrivenStore driven = open(MAX_BYTES, 0)) {
      fill(driven);
    }
    Path index = folder.resolve("2024-10-04.index");
    SegmentIndex now = SegmentIndex.read(index, DAY).orElseThrow();
    Files.write(index, formerFormat(Files.readAllBytes(index), now.entries()));
    SegmentIndex then = SegmentIndex.read(index, DAY).orElseThrow();
    assertThat(then.entries())
        .isEqualTo(
            now.entries().stream()
                .map(each -> new SegmentIndex.Entry(each.sensor(), each.shard(), each.rows(), 0))
                .toList());
    assertThat(then.lastOffset()).isEqualTo(now.lastOffset());
    try (DrivenStore driven = open(MAX_BYTES, 0)) {
      assertBusyShardsAreOver(driven, 1); // the other day's
      assertThat(driven.store().totals().damagedSegments()).isZero();
      assertThat(driven.store().totals().stored()).isEqualTo(2 * (ROWS + 10));
    }
  }

  /** The bytes of an index as format 2 had them. */
  private static byte[] formerFormat(byte[] index, List<SegmentIndex.Entry> entries) {
    ByteBuffer in = ByteBuffer.wrap(index);
    ByteBuffer out = ByteBuffer.allocate(index.length - 8 * entries.size());
    byte[] head = new byte[52];
    in.get(head);
    out.put(head).putInt(8, 2);
    for (SegmentIndex.Entry entry : entries) {
      byte[] upToRows = new byte[2 + entry.sensor().length() + 4 + 8];
      in.get(upToRows);
      in.getLong();
      out.put(upToRows);
    }
    CRC32C crc = new CRC32C();
    crc.update(out.array(), 0, out.position());
    return out.putInt((int) crc.getValue()).array();
  }
}
