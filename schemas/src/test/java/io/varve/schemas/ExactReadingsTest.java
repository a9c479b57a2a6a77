package io.varve.schemas;

import static io.varve.schemas.AvroRecords.reading;
import static io.varve.schemas.AvroRecords.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.schemas.CapturingSink.Reading;
import io.varve.schemas.Undecodable.Reason;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExactReadingsTest {
  private static final long JUNE = 1_717_200_000_000_000L;

  private final CapturingSink sink = new CapturingSink();
  private final ReadingDecoder decoder = new ReadingDecoder(WriterSchemas.released());
  private final ReadingEncoder encoder = new ReadingEncoder();

  private Reason fault(byte[] record) {
    return decoder.decode(record, sink).orElseThrow().reason();
  }

  private byte[] batch(int members) {
    for (int i = 0; i < members; i++) {
      encoder.add("sensor-" + i, JUNE + i, i, i);
    }
    return encoder.takeBatch();
  }

  /** C091, C127: every bit pattern of a value and every 64-bit number comes back. */
  @Test
  void extremesComeBackBitForBit() {
    long[] bits = {
      0, Long.MIN_VALUE, 1, -1, 0x7ff8000000000001L, 0x7ff0000000000000L, 0xfff0000000000000L
    };
    for (long b : bits) {
      for (long n : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
        sink.readings.clear();
        byte[] record = encoder.encode("s", n, Double.longBitsToDouble(b), n);
        assertThat(decoder.decode(record, sink)).isEmpty();
        Reading reading = sink.readings.get(0);
        assertThat(reading.micros()).hasValue(n);
        assertThat(reading.sequence()).isEqualTo(n);
        assertThat(Double.doubleToRawLongBits(reading.value().orElseThrow())).isEqualTo(b);
      }
    }
  }

  /** C035: the supported kinds decode exactly. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, 1_717_243_200_000_000L})
  void millisAreReadAsMicros(long number) {
    byte[] micros = record(Released.READING, out -> reading(out, "s", number, 1, 0));
    byte[] millis = record(Released.READING_MILLIS, out -> reading(out, "s", number, 1, 0));
    assertThat(decoder.decode(micros, sink)).isEmpty();
    assertThat(decoder.decode(millis, sink)).isEmpty();
    assertThat(sink.readings)
        .containsExactly(Reading.of("s", number, 1, 0), Reading.of("s", number * 1000, 1, 0));
  }

  @Test
  void millisBeyondMicrosAreGivenAsTheEndOfTime() {
    for (long millis : new long[] {Long.MAX_VALUE, Long.MAX_VALUE / 1000 + 1}) {
      decoder.decode(record(Released.READING_MILLIS, o -> reading(o, "s", millis, 1, 0)), sink);
      decoder.decode(record(Released.READING_MILLIS, o -> reading(o, "s", -millis, 1, 0)), sink);
    }
    assertThat(sink.readings.stream().map(r -> r.micros().orElseThrow()))
        .containsExactly(Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE);
  }

  @Test
  void batchMembersComeInOrder() {
    assertThat(decoder.decode(batch(1000), sink)).isEmpty();
    assertThat(sink.readings)
        .isEqualTo(
            IntStream.range(0, 1000)
                .mapToObj(i -> Reading.of("sensor-" + i, JUNE + i, i, i))
                .toList());
  }

  @Test
  void batchMayComeInBlocksWithAndWithoutSizes() {
    byte[] sized =
        record(
            Released.BATCH,
            out -> {
              out.writeLong(-2); // two members in a block of 24 bytes
              out.writeLong(24);
              reading(out, "a", 1, 1, 0);
              reading(out, "b", 2, 2, 0);
              out.writeLong(1);
              reading(out, "c", 3, 3, 0);
              out.writeLong(0);
            });
    assertThat(decoder.decode(sized, sink)).isEmpty();
    assertThat(sink.readings).extracting(r -> r.id().orElseThrow()).containsExactly("a", "b", "c");
  }

  @Test
  void everyCutOfASingleReadingIsTruncatedAndHandsNothingOver() {
    byte[] record = encoder.encode("plant-3/temp", JUNE, 21.5, 7);
    for (int size = 1; size < record.length; size++) {
      Reason reason = fault(Arrays.copyOf(record, size));
      assertThat(reason)
          .as("size=%d", size)
          .isEqualTo(size < 2 ? Reason.GARBAGE : Reason.TRUNCATED);
    }
    assertThat(sink.readings).isEmpty();
  }

  @Test
  void everyCutOfABatchHandsOverTheMembersBeforeIt() {
    byte[] record = batch(5);
    CapturingSink whole = new CapturingSink();
    decoder.decode(record, whole);
    int before = 0;
    for (int size = Released.HEADER_LENGTH; size < record.length; size++) {
      sink.readings.clear();
      Undecodable fault = decoder.decode(Arrays.copyOf(record, size), sink).orElseThrow();
      assertThat(fault.reason()).isEqualTo(Reason.TRUNCATED);
      assertThat(fault.detail()).contains("members_read=" + sink.readings.size());
      assertThat(sink.readings).isEqualTo(whole.readings.subList(0, sink.readings.size()));
      assertThat(sink.readings.size()).isGreaterThanOrEqualTo(before);
      before = sink.readings.size();
    }
    assertThat(before).isEqualTo(5);
  }

  @Test
  void bytesAfterTheDatumAreRefused() {
    byte[] single = encoder.encode("s", JUNE, 1, 0);
    assertThat(fault(Arrays.copyOf(single, single.length + 1))).isEqualTo(Reason.TRAILING_BYTES);
    assertThat(sink.readings).isEmpty();
    byte[] batch = batch(3);
    assertThat(fault(Arrays.copyOf(batch, batch.length + 1))).isEqualTo(Reason.TRAILING_BYTES);
    assertThat(sink.readings).hasSize(3);
  }

  /** C143: a count that the bytes do not back costs nothing. */
  @Test
  @Timeout(10)
  void giganticCountsEndWithTheBytes() {
    for (long count : new long[] {200_000_000, Long.MAX_VALUE, Long.MIN_VALUE, -1, -200_000_000}) {
      byte[] record =
          record(
              Released.BATCH,
              out -> {
                out.writeLong(count);
                out.writeLong(0);
              });
      assertThat(fault(record)).as("count=%d", count).isIn(Reason.TRUNCATED, Reason.MALFORMED);
    }
    assertThat(sink.readings).isEmpty();
  }

  @Test
  void impossibleLengthsAndNumbersAreMalformed() {
    assertThat(fault(record(Released.READING, out -> out.writeLong(-1))))
        .isEqualTo(Reason.MALFORMED);
    assertThat(fault(record(Released.READING, out -> out.writeLong(Long.MAX_VALUE))))
        .isEqualTo(Reason.TRUNCATED);
    byte[] endless = new byte[11];
    Arrays.fill(endless, (byte) 0xff);
    assertThat(fault(record(Released.READING, out -> out.writeFixed(endless))))
        .isEqualTo(Reason.MALFORMED);
  }

  @Test
  void wrongBlockSizeIsMalformedAfterItsMembers() {
    byte[] record =
        record(
            Released.BATCH,
            out -> {
              out.writeLong(-1);
              out.writeLong(99);
              reading(out, "a", 1, 1, 0);
              out.writeLong(0);
            });
    assertThat(fault(record)).isEqualTo(Reason.MALFORMED);
    assertThat(sink.readings).containsExactly(Reading.of("a", 1, 1, 0));
  }

  @Test
  void emptyAndUnusualIdsAreHandedOverAsTheyAre() {
    for (String id : List.of("", "\u0000", "x".repeat(5000), "🌡")) {
      assertThat(decoder.decode(encoder.encode(id, JUNE, 1, 0), sink)).isEmpty();
      assertThat(sink.readings.remove(0).id()).isEqualTo(Optional.of(id));
    }
  }

  @Test
  void nothingIsAllocatedForARecordOfAReleasedSchema() {
    byte[] single = encoder.encode("plant-3/temp", JUNE, 21.5, 7);
    byte[] batch = batch(100);
    long[] sum = new long[1];
    ReadingSink counting =
        new ReadingSink() {
          @Override
          public void reading(
              byte[] id, int o, int n, boolean t, long micros, boolean v, double value, long s) {
            sum[0] += micros;
          }

          @Override
          public void unusable(Undecodable fault) {
            throw new AssertionError(fault);
          }
        };
    for (int i = 0; i < 20_000; i++) {
      decoder.decode(single, counting);
      decoder.decode(batch, counting);
    }
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 20_000; i++) {
      decoder.decode(single, counting);
      decoder.decode(batch, counting);
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated).as("bytes for 2 020 000 readings").isLessThan(20_000);
    assertThat(sum[0]).isPositive();
  }
}
