package io.varve.schemas;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.schemas.CapturingSink.Reading;
import io.varve.schemas.Undecodable.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReadingsTest {
  private static final long JUNE = 1_717_200_000_000_000L;

  private final CapturingSink sink = new CapturingSink();
  private final ReadingDecoder decoder = new ReadingDecoder(WriterSchemas.released());

  private Optional<Undecodable> decode(String json) {
    return decoder.decode(json.getBytes(UTF_8), sink);
  }

  private Reading one(String json) {
    sink.readings.clear();
    assertThat(decode(json)).isEmpty();
    assertThat(sink.unusable).isEmpty();
    assertThat(sink.readings).hasSize(1);
    return sink.readings.get(0);
  }

  private Reading value(String number) {
    return one("{\"sensor_id\":\"s\",\"timestamp\":0,\"value\":" + number + "}");
  }

  @Test
  void objectIsAReading() {
    assertThat(
            one(
                "{\"sensor_id\": \"plant-3/temp\", \"timestamp\": 1717200000000000,"
                    + " \"value\": 21.5, \"sequence\": 7}"))
        .isEqualTo(Reading.of("plant-3/temp", JUNE, 21.5, 7));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1717200000",
        "1717200000000",
        "1717200000000000",
        "1717200000000000000",
        "1717200000.0",
        "1.7172e9",
        "\"2024-06-01T00:00:00Z\"",
        "\"2024-06-01T02:00:00+02:00\"",
        "\"2024-06-01\"",
        "\"2024-06-01 00:00:00\"",
        "\"1717200000\"",
      })
  void timestampIsANumberByMagnitudeOrAText(String timestamp) {
    assertThat(one("{\"timestamp\":" + timestamp + ",\"value\":1,\"sensor_id\":\"s\"}").micros())
        .hasValue(JUNE);
  }

  @ParameterizedTest
  @CsvSource({"1e30", "-1e30", "99999999999999999999999999"})
  void numbersBeyondAllTimesAreTheEndsOfTime(String timestamp) {
    assertThat(one("{\"timestamp\":" + timestamp + "}").micros().orElseThrow())
        .isIn(Long.MAX_VALUE, Long.MIN_VALUE);
  }

  /** C091, C127: integers and zeros follow the rules of doubles exactly. */
  @ParameterizedTest
  @CsvSource({
    "0, 0.0",
    "-0, -0.0",
    "-0.0, -0.0",
    "9007199254740993, 9007199254740992",
    "9007199254740995, 9007199254740996",
    "9223372036854775807, 9223372036854775807",
    "-9223372036854775809, -9223372036854775808",
    "123456789012345678901234567890, 1.2345678901234568e29",
    "0.1, 0.1",
    "4.9e-324, 4.9e-324",
    "1e-999, 0.0",
    "1.7976931348623157e308, 1.7976931348623157e308",
    "\"NaN\", NaN",
    "\"Infinity\", Infinity",
    "\"-Infinity\", -Infinity",
  })
  void valuesAreTheNearestDouble(String number, double expected) {
    assertThat(Double.doubleToRawLongBits(value(number).value().orElseThrow()))
        .isEqualTo(Double.doubleToRawLongBits(expected));
  }

  /** C157, C131: what is missing or null is handed over as missing, never filled. */
  @Test
  void missingAndNullFieldsAreMissing() {
    Reading nothing = new Reading(Optional.empty(), Optional.empty(), Optional.empty(), 0);
    assertThat(one("{}")).isEqualTo(nothing);
    assertThat(one("{\"sensor_id\":null,\"timestamp\":null,\"value\":null,\"sequence\":null}"))
        .isEqualTo(nothing);
  }

  /** C151: fields that the reader does not have are ignored, whatever they hold. */
  @Test
  void unknownFieldsAreSkipped() {
    assertThat(
            one(
                "{\"unit\":\"°C\",\"sensor_id\":\"s\",\"tags\":{\"a\":[1,{\"b\":[]}]},"
                    + "\"timestamp\":0,\"value\":1,\"x\":null}"))
        .isEqualTo(Reading.of("s", 0, 1, 0));
  }

  @Test
  void arrayIsABatch() {
    assertThat(decode(" \n[{\"sensor_id\":\"a\"},{\"sensor_id\":\"b\"}]\n")).isEmpty();
    assertThat(sink.readings).extracting(r -> r.id().orElseThrow()).containsExactly("a", "b");
    sink.readings.clear();
    assertThat(decode("[]")).isEmpty();
    assertThat(sink.readings).isEmpty();
  }

  @Test
  void idsKeepTheirBytes() {
    for (String id : new String[] {"é", "e\u0301", "İ", "\u200f", "🌡", "a\u0000b", "", "%2F/.."}) {
      String escaped = id.replace("\u0000", "\\u0000");
      assertThat(one("{\"sensor_id\":\"" + escaped + "\"}").id()).hasValue(id);
    }
    assertThat(one("{\"sensor_id\":\"\\ud83c\\udf21\"}").id()).hasValue("🌡");
  }

  @Test
  void halfASurrogateIsNoOtherId() {
    byte[] json = "{\"sensor_id\":\"a\\ud83cb\"}".getBytes(UTF_8);
    byte[][] id = new byte[1][];
    decoder.decode(
        json,
        new ReadingSink() {
          @Override
          public void reading(
              byte[] b, int o, int n, boolean t, long m, boolean v, double d, long s) {
            id[0] = Arrays.copyOfRange(b, o, o + n);
          }

          @Override
          public void unusable(Undecodable fault) {
            throw new AssertionError(fault);
          }
        });
    assertThat(id[0]).containsExactly('a', 0xed, 0xa0, 0xbc, 'b');
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"sensor_id\":17}",
        "{\"sensor_id\":{\"a\":1}}",
        "{\"timestamp\":true}",
        "{\"timestamp\":[]}",
        "{\"timestamp\":\"yesterday\"}",
        "{\"timestamp\":\"now\"}",
        "{\"timestamp\":\"+10000-01-01T00:00:00Z\"}",
        "{\"timestamp\":\"2016-12-31T23:59:60Z\"}",
        "{\"value\":\"21.5\"}",
        "{\"value\":\"nan\"}",
        "{\"value\":true}",
        "{\"value\":1e999}",
        "{\"sequence\":1.5}",
        "{\"sequence\":9223372036854775808}",
        "{\"sequence\":\"7\"}",
        "{\"value\":1,\"value\":2}",
        "{\"sensor_id\":\"a\",\"sensor_id\":\"a\"}",
        "[7]",
        "[[{}]]",
        "[null]",
      })
  void memberWithAWrongFieldIsUnusable(String json) {
    assertThat(decode(json)).isEmpty();
    assertThat(sink.readings).isEmpty();
    assertThat(sink.unusable).hasSize(1);
    Undecodable fault = sink.unusable.get(0);
    assertThat(fault.reason()).isEqualTo(Reason.BAD_FIELD);
    assertThat(fault.detail()).isNotBlank().doesNotContain("\n");
  }

  @Test
  void unusableMemberTakesNoNeighbourWithIt() {
    assertThat(decode("[{\"value\":1},{\"value\":\"x\",\"deep\":[{}]},3,{\"value\":4}]")).isEmpty();
    assertThat(sink.readings).extracting(r -> r.value().orElseThrow()).containsExactly(1.0, 4.0);
    assertThat(sink.unusable).hasSize(2);
  }

  /** C211: what comes from outside is shown short and on one line. */
  @Test
  void textsFromOutsideAreShownShortAndOnOneLine() {
    decode("{\"timestamp\":\"a\\nb" + "x".repeat(10_000) + "\"}");
    assertThat(sink.unusable.get(0).detail()).doesNotContain("\n").hasSizeLessThan(300);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"value\":1}} | MALFORMED_JSON",
        "{\"value\":1}{\"value\":2} | TRAILING_BYTES",
        "{\"value\":1} garbage | MALFORMED_JSON",
        "{\"value\":NaN} | MALFORMED_JSON",
        "{\"value\":01} | MALFORMED_JSON",
        "{value:1} | MALFORMED_JSON",
        "{'value':1} | MALFORMED_JSON",
        "{\"value\":1,} | MALFORMED_JSON",
        "{\"value\":1 | TRUNCATED",
        "{\"val | TRUNCATED",
        "{\"value\": | TRUNCATED",
      })
  void brokenJsonHandsNothingOver(String json, Reason reason) {
    Undecodable fault = decode(json).orElseThrow();
    assertThat(fault.reason()).as(fault.detail()).isEqualTo(reason);
    assertThat(sink.readings).isEmpty();
  }

  @Test
  void everyCutOfAnArrayHandsOverTheMembersBeforeIt() {
    String json = "[{\"value\":0},{\"value\":1},{\"value\":2}]";
    for (int size = 1; size < json.length(); size++) {
      sink.readings.clear();
      Undecodable fault = decode(json.substring(0, size)).orElseThrow();
      assertThat(fault.reason()).as(fault.detail()).isEqualTo(Reason.TRUNCATED);
      assertThat(fault.detail()).contains("members_read=" + sink.readings.size());
      assertThat(sink.readings).hasSize(size / 12);
    }
  }

  /** C145: nesting, names and numbers without end are refused before they cost anything. */
  @Test
  void excessIsRefused() {
    assertThat(decode("{\"x\":" + "[".repeat(100_000)).orElseThrow().reason())
        .isEqualTo(Reason.LIMIT);
    assertThat(decode("[".repeat(100_000)).orElseThrow().reason()).isEqualTo(Reason.LIMIT);
    assertThat(decode("{\"value\":" + "9".repeat(100_000) + "}").orElseThrow().reason())
        .isEqualTo(Reason.LIMIT);
    assertThat(decode("{\"sensor_id\":\"" + "x".repeat(1_000_000) + "\"}").orElseThrow().reason())
        .isEqualTo(Reason.LIMIT);
    assertThat(sink.readings).isEmpty();
  }

  @Test
  void longUnknownTextIsSkippedUnread() {
    assertThat(one("{\"note\":\"" + "x".repeat(900_000) + "\",\"value\":1}").value()).hasValue(1.0);
  }

  @Test
  void otherEncodingsOfJsonAreReadOrNamed() {
    byte[] utf16 = "{\"value\":1}".getBytes(StandardCharsets.UTF_16LE);
    assertThat(decoder.decode(utf16, sink)).isEmpty();
    assertThat(sink.readings.get(0).value()).hasValue(1.0);
    byte[] latin1 = "{\"sensor_id\":\"é\"}".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(decoder.decode(latin1, sink).orElseThrow().reason())
        .isEqualTo(Reason.MALFORMED_JSON);
  }
}
