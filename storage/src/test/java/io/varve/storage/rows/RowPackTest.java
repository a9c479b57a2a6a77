package io.varve.storage.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.Seeded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RowPackTest {
  private record Packed(String id, int shard, long timestampMicros, long sequence, long valueBits) {
    int addTo(RowPack.Writer writer) {
      byte[] bytes = id.getBytes(UTF_8);
      writer.add(bytes, 0, bytes.length, shard, timestampMicros, sequence, valueBits);
      return writer.size();
    }
  }

  private static final Packed WARM =
      new Packed("plant-3/temp", 0, 1_717_200_000_000_000L, 0, Double.doubleToRawLongBits(21.5));
  private static final Packed COLD = new Packed("é", 300, -1, -2, 0x8000000000000000L);

  /** The drawing in {@link RowPack}'s javadoc, byte by byte. */
  @Test
  void recordLooksAsDrawn() {
    RowPack.Writer writer = new RowPack.Writer();
    WARM.addTo(writer);
    COLD.addTo(writer);
    String drawn =
        "01" // version
            + "01" // value type
            + "0c" // id length
            + "706c616e742d332f74656d70" // plant-3/temp
            + "00" // shard
            + "002002c8c8190600" // 1 717 200 000 000 000, little endian
            + "00" // sequence
            + "0000000000803540" // 21.5
            + "01"
            + "02"
            + "c3a9" // é
            + "ac02" // shard 300: low seven bits first
            + "ffffffffffffffff" // one microsecond before 1970
            + "03" // sequence -2, zigzag
            + "0000000000000080"; // -0.0
    assertThat(HexFormat.of().formatHex(writer.toBytes())).isEqualTo(drawn);
    assertThat(writer.rows()).isEqualTo(2);
    assertThat(writer.size()).isEqualTo(drawn.length() / 2);
  }

  @Seeded
  void rowsReadBackToTheSameBits(RandomGenerator random) {
    List<Packed> rows = randomRows(random, 1 + random.nextInt(200));
    assertThat(read(pack(rows)).rows).isEqualTo(rows);
  }

  @Test
  void longestRowHasTheStatedSize() {
    RowPack.Writer writer = new RowPack.Writer();
    new Packed("x".repeat(256), (1 << 21) - 1, Long.MIN_VALUE, Long.MIN_VALUE, -1).addTo(writer);
    assertThat(writer.size() - 1).isEqualTo(RowPack.MAX_ROW_BYTES - 2);
    assertThat(read(writer.toBytes()).fault).isEqualTo(-1);
  }

  @Seeded
  void recordsConcatenateWithoutTheSecondVersionByte(RandomGenerator random) {
    List<Packed> rows = randomRows(random, 2 + random.nextInt(20));
    int cut = random.nextInt(rows.size() + 1);
    byte[] first = pack(rows.subList(0, cut));
    byte[] second = pack(rows.subList(cut, rows.size()));
    byte[] both = Arrays.copyOf(first, first.length + second.length - 1);
    System.arraycopy(second, 1, both, first.length, second.length - 1);
    assertThat(both).isEqualTo(pack(rows));
  }

  @Test
  void clearedWriterForgetsItsRows() {
    RowPack.Writer writer = new RowPack.Writer();
    WARM.addTo(writer);
    writer.clear();
    assertThat(writer.rows()).isZero();
    assertThat(writer.toBytes()).containsExactly(RowPack.VERSION);
    COLD.addTo(writer);
    assertThat(read(writer.toBytes()).rows).containsExactly(COLD);
  }

  @Test
  void recordWithoutRowsIsWhole() {
    assertThat(read(new byte[] {RowPack.VERSION}).fault).isEqualTo(-1);
  }

  @Test
  void unknownVersionsAndEmptyRecordsFaultAtOnce() {
    assertThat(read(new byte[0]).fault).isZero();
    assertThat(read(new byte[] {2, 1, 1}).fault).isZero();
  }

  @Seeded(runs = 5)
  void truncatedRecordGivesItsWholeRowsAndTheOffsetOfTheCut(RandomGenerator random) {
    List<Packed> rows = randomRows(random, 5);
    RowPack.Writer writer = new RowPack.Writer();
    List<Integer> ends = new ArrayList<>(List.of(1));
    rows.forEach(row -> ends.add(row.addTo(writer)));
    byte[] record = writer.toBytes();
    for (int length = 1; length < record.length; length++) {
      Outcome outcome = read(Arrays.copyOf(record, length));
      int whole = 0;
      while (ends.get(whole + 1) <= length) {
        whole++;
      }
      assertThat(outcome.rows).isEqualTo(rows.subList(0, whole));
      assertThat(outcome.fault).isEqualTo(length == ends.get(whole) ? -1 : ends.get(whole));
    }
  }

  @Seeded(runs = 5)
  void flippedBitsGiveRowsOrAnOffsetAndLeaveTheRowsBeforeThem(RandomGenerator random) {
    List<Packed> rows = randomRows(random, 5);
    RowPack.Writer writer = new RowPack.Writer();
    List<Integer> ends = new ArrayList<>(List.of(1));
    rows.forEach(row -> ends.add(row.addTo(writer)));
    byte[] record = writer.toBytes();
    for (int bit = 0; bit < record.length * 8; bit++) {
      byte[] damaged = record.clone();
      damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      Outcome outcome = read(damaged);
      int before = 0;
      while (before < rows.size() && ends.get(before + 1) <= bit / 8) {
        before++;
      }
      if (bit / 8 == 0) {
        assertThat(outcome.fault).isZero();
        assertThat(outcome.rows).isEmpty();
      } else {
        assertThat(outcome.rows.subList(0, before)).isEqualTo(rows.subList(0, before));
        assertThat(outcome.fault).isBetween(-1, record.length - 1);
      }
    }
  }

  @Seeded
  void garbageNeverThrows(RandomGenerator random) {
    for (int i = 0; i < 2_000; i++) {
      byte[] garbage = new byte[random.nextInt(400)];
      random.nextBytes(garbage);
      for (int k = 0; k < Math.min(garbage.length, 2); k++) {
        garbage[k] = 1;
      }
      assertThat(read(garbage).fault).isBetween(-1, garbage.length);
    }
  }

  @Test
  void endlessVarintsFaultAtTheirRow() {
    byte[] record = new byte[64];
    Arrays.fill(record, (byte) 0xff);
    record[0] = RowPack.VERSION;
    record[1] = RowPack.DOUBLE;
    assertThat(read(record).fault).isEqualTo(1);
  }

  private record Outcome(List<Packed> rows, int fault) {}

  private static Outcome read(byte[] record) {
    List<Packed> rows = new ArrayList<>();
    int fault =
        RowPack.read(
            record,
            (bytes, idOffset, idLength, shard, timestampMicros, sequence, valueBits) ->
                rows.add(
                    new Packed(
                        new String(bytes, idOffset, idLength, UTF_8),
                        shard,
                        timestampMicros,
                        sequence,
                        valueBits)));
    return new Outcome(rows, fault);
  }

  private static byte[] pack(List<Packed> rows) {
    RowPack.Writer writer = new RowPack.Writer();
    rows.forEach(row -> row.addTo(writer));
    return writer.toBytes();
  }

  private static List<Packed> randomRows(RandomGenerator random, int count) {
    List<Packed> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(
          new Packed(
              "é/".repeat(random.nextInt(80)) + "x".repeat(1 + random.nextInt(16)),
              random.nextInt(random.nextBoolean() ? 64 : 1 << 21),
              random.nextLong(),
              random.nextBoolean() ? random.nextInt(4) : random.nextLong(),
              random.nextLong()));
    }
    return rows;
  }
}
