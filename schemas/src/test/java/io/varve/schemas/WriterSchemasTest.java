package io.varve.schemas;

import static io.varve.schemas.AvroRecords.reading;
import static io.varve.schemas.AvroRecords.record;
import static io.varve.schemas.SchemaTexts.MICROS;
import static io.varve.schemas.SchemaTexts.MILLIS;
import static io.varve.schemas.SchemaTexts.plain;
import static io.varve.schemas.SchemaTexts.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.schemas.CapturingSink.Reading;
import io.varve.schemas.Undecodable.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriterSchemasTest {
  private static final long JUNE = 1_717_200_000_000_000L;

  private final Path folder;
  private final CapturingSink sink = new CapturingSink();
  private final AtomicLong nanos = new AtomicLong();

  WriterSchemasTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private String put(String file, String schema) throws IOException {
    Files.writeString(folder.resolve(file), schema);
    return schema;
  }

  private WriterSchemas open() throws SchemasRefusedException {
    return WriterSchemas.open(folder, nanos::get);
  }

  @Test
  void schemasThatAreNoneAreRefusedAtStartWithTheirFiles() throws Exception {
    put("broken.avsc", "{\"type\":\"record\"");
    put("unknown.avsc", "{\"type\":\"nothing\"}");
    put("deep.avsc", "{\"type\":\"array\",\"items\":".repeat(10_000));
    put("empty.avsc", "");
    put("notes.txt", "not looked at");
    assertThatThrownBy(this::open)
        .isInstanceOf(SchemasRefusedException.class)
        .hasMessageContainingAll("broken.avsc", "unknown.avsc", "deep.avsc", "empty.avsc")
        .hasMessageNotContaining("notes.txt");
  }

  /** A schema of a few lines can stand for more types than memory holds. */
  @Test
  void schemaThatExpandsWithoutEndIsRefusedAtStart() throws Exception {
    StringBuilder laughs = new StringBuilder("{'type':'record','name':'R0','fields':[");
    String close = "";
    for (int depth = 1; depth <= 12; depth++) {
      laughs.append("{'name':'a','type':{'type':'record','name':'R" + depth + "','fields':[");
      close = "]}}" + uses(depth) + close;
    }
    put("laughs.avsc", (laughs + close + "]}").replace('\'', '"'));
    assertThatThrownBy(this::open)
        .isInstanceOf(SchemasRefusedException.class)
        .hasMessageContainingAll("laughs.avsc", "more types");
  }

  private static String uses(int depth) {
    StringBuilder uses = new StringBuilder();
    for (int i = 0; i < 9; i++) {
      uses.append(",{'name':'f" + i + "','type':'R" + depth + "'}");
    }
    return uses.toString();
  }

  @Test
  void oneFingerprintWithTwoMeaningsIsRefusedAtStartWithBothFiles() throws Exception {
    put("a.avsc", plain("p.Reading", MICROS));
    put("b.avsc", plain("p.Reading", MILLIS));
    assertThatThrownBy(this::open)
        .isInstanceOf(SchemasRefusedException.class)
        .hasMessageContainingAll("a.avsc", "b.avsc", "one fingerprint");
  }

  @Test
  void releasedSchemaWithAnotherUnitIsRefusedAtStart() throws Exception {
    put("mine.avsc", plain("io.varve.schemas.SensorReading", MILLIS));
    assertThatThrownBy(this::open)
        .isInstanceOf(SchemasRefusedException.class)
        .hasMessageContainingAll("mine.avsc", "io.varve.schemas.SensorReading");
  }

  @Test
  void aliasesThatSwapFieldsAreAnotherMeaning() throws Exception {
    String fields = "'name':'sensor_id','type':'string'|'name':'timestamp','type':'long'|";
    String one =
        fields + "'name':'x','aliases':['value'],'type':'double'|'name':'y','type':'double'";
    String other =
        fields + "'name':'x','type':'double'|'name':'y','aliases':['value'],'type':'double'";
    put("one.avsc", schema("p.R", one.split("\\|")));
    put("other.avsc", schema("p.R", other.split("\\|")));
    assertThatThrownBy(this::open)
        .isInstanceOf(SchemasRefusedException.class)
        .hasMessageContainingAll("one.avsc", "other.avsc");
  }

  /** C147: bytes of swapped fields carry another fingerprint and are never taken for a reading. */
  @Test
  void swappedFieldsAreAnUnknownFingerprint() throws Exception {
    String swapped =
        schema(
            "io.varve.schemas.SensorReading",
            "'name':'sensor_id','type':'string'",
            "'name':'sequence','type':'long','default':0",
            "'name':'value','type':'double'",
            "'name':'timestamp','type':" + MICROS);
    Undecodable fault =
        new ReadingDecoder(open())
            .decode(record(swapped, out -> reading(out, "s", 0, 1, JUNE)), sink)
            .orElseThrow();
    assertThat(fault.reason()).isEqualTo(Reason.UNKNOWN_FINGERPRINT);
    assertThat(sink.readings).isEmpty();
  }

  @Test
  void sameMeaningTwiceIsFine() throws Exception {
    put("plain.avsc", plain("io.varve.schemas.SensorReading", "'long'"));
    put("copy.avsc", new Schema.Parser().parse(plain("q.R", MICROS)).toString(true));
    put("copy2.avsc", plain("q.R", MICROS));
    assertThat(open().size()).isEqualTo(5);
  }

  @Test
  void folderThatIsNotThereIsRefusedAtStart() {
    assertThatThrownBy(() -> WriterSchemas.open(folder.resolve("none")))
        .isInstanceOf(SchemasRefusedException.class)
        .hasMessageContainingAll("none", "--schemas");
  }

  @Test
  void unknownFingerprintMakesTheFolderBeReadAgain() throws Exception {
    ReadingDecoder decoder = new ReadingDecoder(open());
    String late = plain("late.Reading", MICROS);
    byte[] record = record(late, out -> reading(out, "s", JUNE, 1, 0));
    nanos.addAndGet(2_000_000_000L);
    Undecodable fault = decoder.decode(record, sink).orElseThrow();
    assertThat(fault.reason()).isEqualTo(Reason.UNKNOWN_FINGERPRINT);
    assertThat(fault.hint()).contains(folder.toString());
    put("late.avsc", late);
    assertThat(decoder.decode(record, sink)).as("looked a moment ago").isPresent();
    nanos.addAndGet(2_000_000_000L);
    assertThat(decoder.decode(record, sink)).isEmpty();
    assertThat(sink.readings).hasSize(1);
  }

  @Test
  void badFilesThatComeLaterNeitherStopNorReplaceAnything() throws Exception {
    String good = put("good.avsc", plain("g.Reading", MICROS));
    ReadingDecoder decoder = new ReadingDecoder(open());
    put("broken.avsc", "{");
    put("other.avsc", plain("g.Reading", MILLIS));
    String late = put("zlate.avsc", plain("late.Reading", MICROS));
    Files.delete(folder.resolve("good.avsc"));
    nanos.addAndGet(2_000_000_000L);
    assertThat(decoder.decode(record(late, out -> reading(out, "s", 1, 1, 0)), sink)).isEmpty();
    assertThat(decoder.decode(record(good, out -> reading(out, "s", 2, 1, 0)), sink)).isEmpty();
    assertThat(sink.readings).containsExactly(Reading.of("s", 1, 1, 0), Reading.of("s", 2, 1, 0));
  }
}
