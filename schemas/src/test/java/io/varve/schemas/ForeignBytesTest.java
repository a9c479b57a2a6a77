package io.varve.schemas;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.schemas.Undecodable.Reason;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** C141: a record with other first bytes is named and never stops anything. */
class ForeignBytesTest {
  private final CapturingSink sink = new CapturingSink();
  private final ReadingDecoder decoder = new ReadingDecoder(WriterSchemas.released());

  private Undecodable fault(byte[] record) {
    Undecodable fault = decoder.decode(record, sink).orElseThrow();
    assertThat(sink.readings).isEmpty();
    return fault;
  }

  @ParameterizedTest
  @CsvSource({
    "'', EMPTY",
    "00, GARBAGE",
    "0000000007, CONFLUENT_FRAME",
    "000000002a0c616263, CONFLUENT_FRAME",
    "0100000001, GARBAGE",
    "c3, GARBAGE",
    "c301, TRUNCATED",
    "c30171d3203e9e58a5, TRUNCATED",
    "c302717171717171717171, GARBAGE",
    "03000102030405060708090a0b0c0d0e0f1011, GLUE_FRAME",
    "0300, GARBAGE",
    "4f626a0104, AVRO_FILE",
    "4f626a, GARBAGE",
    "1f8b0800, FOREIGN_FORMAT",
    "28b52ffd, FOREIGN_FORMAT",
    "3c613e, FOREIGN_FORMAT",
    "deadbeef, GARBAGE",
    "20202020, GARBAGE",
    "7b, TRUNCATED",
    "c301efbeaddeefbeadde00, UNKNOWN_FINGERPRINT",
  })
  void firstBytesNameTheForm(String hex, Reason reason) {
    Undecodable fault = fault(HexFormat.of().parseHex(hex));
    assertThat(fault.reason()).isEqualTo(reason);
    assertThat(fault.detail()).isNotBlank().doesNotContain("\n");
    assertThat(fault.hint()).isNotBlank().doesNotContain("\n");
  }

  @Test
  void megabyteOfZerosIsNamedAsAFrame() {
    assertThat(fault(new byte[1 << 20]).reason()).isEqualTo(Reason.CONFLUENT_FRAME);
  }

  @Test
  void frameNamesItsSchemaAndFingerprintIsSpelt() {
    assertThat(fault(HexFormat.of().parseHex("0000010203ff")).detail()).contains("schema_id=66051");
    Undecodable unknown = fault(HexFormat.of().parseHex("c301efcdab896745230100"));
    assertThat(unknown.detail()).contains("fingerprint=0x0123456789abcdef");
    assertThat(unknown.hint()).contains("--schemas");
  }

  @Test
  void csvLineIsGarbageWithItsFirstBytes() {
    assertThat(fault("2024-06-01,1".getBytes(UTF_8)).detail()).contains("32 30 32 34");
  }

  @Test
  void reasonsAreDistinctWords() {
    assertThat(Arrays.stream(Reason.values()).map(Reason::text).collect(Collectors.toSet()))
        .hasSameSizeAs(Reason.values())
        .allMatch(t -> t.matches("[a-z-]+"));
  }
}
