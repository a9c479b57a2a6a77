package io.varve.schemas;

import static io.varve.schemas.AvroRecords.reading;
import static io.varve.schemas.AvroRecords.record;
import static io.varve.schemas.SchemaTexts.MICROS;
import static io.varve.schemas.SchemaTexts.MILLIS;
import static io.varve.schemas.SchemaTexts.plain;
import static io.varve.schemas.SchemaTexts.schema;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.schemas.AvroRecords.Datum;
import io.varve.schemas.CapturingSink.Reading;
import io.varve.schemas.Undecodable.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResolvedReadingsTest {
  private static final long JUNE = 1_717_200_000_000_000L;

  private final Path folder;
  private final CapturingSink sink = new CapturingSink();

  ResolvedReadingsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private String put(String file, String schema) throws IOException {
    Files.writeString(folder.resolve(file), schema);
    return schema;
  }

  private WriterSchemas open() throws SchemasRefusedException {
    return WriterSchemas.open(folder);
  }

  private Optional<Undecodable> decode(String schema, Datum datum) throws SchemasRefusedException {
    return new ReadingDecoder(open()).decode(record(schema, datum), sink);
  }

  @Test
  void fieldMoreIsIgnored() throws Exception {
    String more =
        put(
            "more.avsc",
            schema(
                "io.varve.schemas.SensorReading",
                "'name':'site','type':{'type':'map','values':['null','string']}",
                "'name':'sensor_id','type':'string'",
                "'name':'unit','type':['null','string']",
                "'name':'timestamp','type':" + MICROS,
                "'name':'value','type':'double'",
                "'name':'tags','type':{'type':'array','items':'string'}"));
    Optional<Undecodable> fault =
        decode(
            more,
            out -> {
              out.writeMapStart();
              out.setItemCount(1);
              out.startItem();
              out.writeString("city");
              out.writeIndex(0);
              out.writeMapEnd();
              out.writeString("s");
              out.writeIndex(1);
              out.writeString("°C");
              out.writeLong(JUNE);
              out.writeDouble(21.5);
              out.writeArrayStart();
              out.setItemCount(1);
              out.startItem();
              out.writeString("x");
              out.writeArrayEnd();
            });
    assertThat(fault).isEmpty();
    assertThat(sink.readings).containsExactly(Reading.of("s", JUNE, 21.5, 0));
  }

  @Test
  void numbersAreWidened() throws Exception {
    String narrow =
        put(
            "narrow.avsc",
            schema(
                "narrow.SensorReading",
                "'name':'value','type':'float'",
                "'name':'sequence','type':'int'",
                "'name':'sensor_id','type':'bytes'",
                "'name':'timestamp','type':'int'"));
    assertThat(
            decode(
                narrow,
                out -> {
                  out.writeFloat(0.1f);
                  out.writeInt(-3);
                  out.writeString("s");
                  out.writeInt(Integer.MAX_VALUE);
                }))
        .isEmpty();
    assertThat(sink.readings).containsExactly(Reading.of("s", Integer.MAX_VALUE, 0.1f, -3));
  }

  /** C127: a long as value is the nearest double. */
  @Test
  void wholeNumbersAreTheNearestDouble() throws Exception {
    String whole =
        put(
            "whole.avsc",
            schema(
                "w.Reading",
                "'name':'sensor_id','type':'string'",
                "'name':'timestamp','type':" + MICROS,
                "'name':'value','type':'long'"));
    for (long n : new long[] {1L << 53, (1L << 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      sink.readings.clear();
      assertThat(
              decode(
                  whole,
                  out -> {
                    out.writeString("s");
                    out.writeLong(JUNE);
                    out.writeLong(n);
                  }))
          .isEmpty();
      assertThat(sink.readings).containsExactly(Reading.of("s", JUNE, (double) n, 0));
    }
  }

  @Test
  void namesAreToldByAliases() throws Exception {
    String renamed =
        put(
            "renamed.avsc",
            schema(
                "acme.Batch",
                "'name':'gateway','type':'string'",
                "'name':'messwerte','aliases':['readings'],'type':{'type':'array','items':"
                    + schema(
                        "acme.Messwert",
                        "'name':'fuehler','aliases':['sensor_id'],'type':'string'",
                        "'name':'zeit','aliases':['timestamp'],'type':" + MILLIS,
                        "'name':'wert','aliases':['x','value'],'type':'double'",
                        "'name':'folge','aliases':['sequence'],'type':'long'")
                    + "}"));
    assertThat(
            decode(
                renamed,
                out -> {
                  out.writeString("gateway-1");
                  out.writeArrayStart();
                  out.setItemCount(2);
                  reading(out, "a", JUNE / 1000, 1, 5);
                  reading(out, "b", JUNE / 1000 + 1, 2, 6);
                  out.writeArrayEnd();
                }))
        .isEmpty();
    assertThat(sink.readings)
        .containsExactly(Reading.of("a", JUNE, 1, 5), Reading.of("b", JUNE + 1000, 2, 6));
  }

  /** C157, C131: null is missing, never filled with anything. */
  @Test
  void nullableFieldsMayBeMissing() throws Exception {
    String nullable =
        put(
            "nullable.avsc",
            schema(
                "n.Reading",
                "'name':'sensor_id','type':['null','string']",
                "'name':'timestamp','type':['null'," + MICROS + "]",
                "'name':'value','type':['double','null']",
                "'name':'sequence','type':['null','long']"));
    decode(
        nullable,
        out -> {
          out.writeIndex(0);
          out.writeIndex(0);
          out.writeIndex(1);
          out.writeIndex(0);
        });
    decode(
        nullable,
        out -> {
          out.writeIndex(1);
          out.writeString("s");
          out.writeIndex(1);
          out.writeLong(JUNE);
          out.writeIndex(0);
          out.writeDouble(1);
          out.writeIndex(1);
          out.writeLong(9);
        });
    assertThat(sink.readings)
        .containsExactly(
            new Reading(Optional.empty(), Optional.empty(), Optional.empty(), 0),
            Reading.of("s", JUNE, 1, 9));
  }

  /**
   * C031, C035: units are told by the logical type; a plain long means what the released one does.
   */
  @Test
  void supportedTimestampKindsDecodeExactly() throws Exception {
    String[] kinds = {"'long'", MICROS, MILLIS};
    long[] factors = {1, 1, 1000};
    for (int i = 0; i < kinds.length; i++) {
      String schema = put("kind" + i + ".avsc", plain("k.Kind" + i, kinds[i]));
      for (long number : new long[] {0, 1, -1, 1_717_243_200_000_000L}) {
        sink.readings.clear();
        assertThat(decode(schema, out -> reading(out, "s", number, 1, 0))).isEmpty();
        assertThat(sink.readings).containsExactly(Reading.of("s", number * factors[i], 1, 0));
      }
    }
  }

  /** C035: unsupported kinds are named with the value that was found. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "local-timestamp-millis",
        "local-timestamp-micros",
        "timestamp-nanos",
        "time-micros",
        "timestamp-seconds"
      })
  void unsupportedTimestampKindsAreNamedWithTheirValue(String kind) throws Exception {
    String schema =
        put("kind.avsc", plain("k.Kind", "{'type':'long','logicalType':'" + kind + "'}"));
    Undecodable fault =
        decode(schema, out -> reading(out, "s", 1_717_243_200_000L, 1, 0)).orElseThrow();
    assertThat(fault.reason()).isEqualTo(Reason.UNSUPPORTED_SCHEMA);
    assertThat(fault.detail()).contains(kind, "value=1717243200000", "kind.avsc");
    assertThat(sink.readings).isEmpty();
  }

  /** C149: what cannot be a reading is refused record by record, with the real type. */
  @Test
  void schemasThatAreNoReadingsAreNamedWithTheirTypes() throws Exception {
    String text = put("text.avsc", plain("t.Text", "'string'"));
    assertThat(decode(text, out -> out.writeString("x")).orElseThrow().detail())
        .contains("field=timestamp", "type=string", "text.avsc");
    String flag =
        put(
            "flag.avsc",
            schema(
                "t.Flag",
                "'name':'sensor_id','type':'string'",
                "'name':'timestamp','type':'long'",
                "'name':'value','type':['null','boolean']"));
    assertThat(decode(flag, out -> out.writeString("x")).orElseThrow().detail())
        .contains("field=value", "[null, boolean]");
    String without =
        put(
            "without.avsc",
            schema("t.No", "'name':'sensor_id','type':'string'", "'name':'value','type':'long'"));
    assertThat(decode(without, out -> out.writeString("x")).orElseThrow().detail())
        .contains("no field name=timestamp");
    String number = put("number.avsc", "\"long\"");
    assertThat(decode(number, out -> out.writeLong(1)).orElseThrow().detail())
        .contains("no record type=long");
  }

  @Test
  void memberWithABranchThatIsNoReadingTakesNoNeighbourWithIt() throws Exception {
    String union =
        put(
            "union.avsc",
            schema(
                "u.Batch",
                "'name':'readings','type':{'type':'array','items':"
                    + schema(
                        "Reading",
                        "'name':'id','aliases':['sensor_id'],'type':'string'",
                        "'name':'timestamp','type':'long'",
                        "'name':'value','type':['null','double','string']")
                    + "}"));
    assertThat(
            decode(
                union,
                out -> {
                  out.writeArrayStart();
                  out.setItemCount(3);
                  for (int i = 0; i < 3; i++) {
                    out.startItem();
                    out.writeString("s" + i);
                    out.writeLong(JUNE);
                    out.writeIndex(i == 1 ? 2 : 1);
                    if (i == 1) {
                      out.writeString("high");
                    } else {
                      out.writeDouble(i);
                    }
                  }
                  out.writeArrayEnd();
                }))
        .isEmpty();
    assertThat(sink.readings)
        .containsExactly(Reading.of("s0", JUNE, 0, 0), Reading.of("s2", JUNE, 2, 0));
    assertThat(sink.unusable).hasSize(1);
    assertThat(sink.unusable.get(0).reason()).isEqualTo(Reason.BAD_FIELD);
    assertThat(sink.unusable.get(0).detail()).contains("string", "union.avsc");
  }

  /** C153: an id is its bytes, whether the writer has it as text or as bytes. */
  @Test
  void namesWithoutNamespaceAreToldByAliasesToo() throws Exception {
    String bare =
        put(
            "bare.avsc",
            schema(
                "Messwert",
                "'name':'id','aliases':['sensor_id'],'type':'bytes'",
                "'name':'at','aliases':['timestamp'],'type':'long'",
                "'name':'value','type':'double'"));
    assertThat(
            decode(
                bare,
                out -> {
                  out.writeString("plant/é");
                  out.writeLong(JUNE);
                  out.writeDouble(1);
                }))
        .isEmpty();
    assertThat(sink.readings).containsExactly(Reading.of("plant/é", JUNE, 1, 0));
  }

  @Test
  void everyCutOfAResolvedBatchHandsOverTheMembersBeforeIt() throws Exception {
    String schema =
        put(
            "batch.avsc",
            schema(
                "b.Batch",
                "'name':'readings','type':{'type':'array','items':"
                    + schema(
                        "b.Reading",
                        "'name':'sensor_id','type':'string'",
                        "'name':'timestamp','type':'long'",
                        "'name':'value','type':'double'",
                        "'name':'note','type':'string'")
                    + "}",
                "'name':'gateway','type':'string'"));
    byte[] record =
        record(
            schema,
            out -> {
              out.writeArrayStart();
              out.setItemCount(3);
              for (int i = 0; i < 3; i++) {
                out.startItem();
                out.writeString("s" + i);
                out.writeLong(JUNE);
                out.writeDouble(i);
                out.writeString("note " + i);
              }
              out.writeArrayEnd();
              out.writeString("g");
            });
    ReadingDecoder decoder = new ReadingDecoder(open());
    assertThat(decoder.decode(record, sink)).isEmpty();
    List<Reading> whole = List.copyOf(sink.readings);
    int memberSize = (record.length - Released.HEADER_LENGTH - 4) / 3;
    for (int size = Released.HEADER_LENGTH; size < record.length; size++) {
      sink.readings.clear();
      Undecodable fault = decoder.decode(Arrays.copyOf(record, size), sink).orElseThrow();
      assertThat(fault.reason()).as("size=%d", size).isEqualTo(Reason.TRUNCATED);
      int complete = Math.min(3, Math.max(0, size - Released.HEADER_LENGTH - 1) / memberSize);
      assertThat(sink.readings).as("size=%d", size).isEqualTo(whole.subList(0, complete));
    }
    sink.readings.clear();
    Undecodable fault =
        decoder.decode(Arrays.copyOf(record, record.length + 2), sink).orElseThrow();
    assertThat(fault.reason()).isEqualTo(Reason.TRAILING_BYTES);
    assertThat(sink.readings).isEqualTo(whole);
  }

  /** C143, C145: claims that the record's size does not back are refused at once. */
  @Test
  @Timeout(10)
  void giganticCollectionsAndEndlessNestingAreRefusedFast() throws Exception {
    String nulls =
        put(
            "nulls.avsc",
            schema(
                "x.Nulls",
                "'name':'sensor_id','type':'string'",
                "'name':'timestamp','type':'long'",
                "'name':'value','type':'double'",
                "'name':'extra','type':{'type':'array','items':'null'}",
                "'name':'next','type':['null','x.Nulls']"));
    ReadingDecoder decoder = new ReadingDecoder(open());
    byte[] array =
        record(
            nulls,
            out -> {
              out.writeString("s");
              out.writeLong(JUNE);
              out.writeDouble(1);
              out.writeLong(200_000_000);
              out.writeLong(0);
              out.writeIndex(0);
            });
    byte[] chain =
        record(
            nulls,
            out -> {
              for (int i = 0; i < 50_000; i++) {
                out.writeString("");
                out.writeLong(0);
                out.writeDouble(0);
                out.writeLong(0);
                out.writeIndex(1);
              }
            });
    for (byte[] record : List.of(array, chain)) {
      assertThat(decoder.decode(record, sink).orElseThrow().reason()).isEqualTo(Reason.LIMIT);
    }
    assertThat(sink.readings).isEmpty();
  }
}
