package io.varve.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.load.fleet.Fleet;
import io.varve.load.fleet.Knob;
import io.varve.load.fleet.Poison;
import io.varve.load.fleet.Profiles;
import io.varve.schemas.ReadingDecoder;
import io.varve.schemas.ReadingSink;
import io.varve.schemas.Undecodable;
import io.varve.schemas.WriterSchemas;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GatewaysTest {
  private static final long SECOND = 1_000_000_000;

  private final List<String> decoded = new ArrayList<>();
  private final List<String> records = new ArrayList<>();

  private boolean decode(byte[] record) {
    ReadingSink sink =
        new ReadingSink() {
          @Override
          public void reading(
              byte[] id,
              int idOffset,
              int idLength,
              boolean hasTimestamp,
              long timestampMicros,
              boolean hasValue,
              double value,
              long sequence) {
            String name = new String(id, idOffset, idLength, StandardCharsets.UTF_8);
            decoded.add(name + " " + timestampMicros + " " + sequence + " " + value);
          }

          @Override
          public void unusable(Undecodable fault) {
            throw new AssertionError(fault);
          }
        };
    return new ReadingDecoder(WriterSchemas.released()).decode(record, sink).isEmpty();
  }

  private static Fleet fleet(Map<Knob, String> knobs) throws Exception {
    return new Fleet(Profiles.find("uniform").with(knobs), 1, 0, "f");
  }

  private Gateways gateways(Fleet fleet) {
    return new Gateways(
        fleet,
        new RecordEncoder(fleet),
        (due, gateway, record, readings, keys) -> {
          assertThat(keys).hasSize(readings);
          assertThat(decode(record)).isTrue();
          records.add(gateway + " due " + due + ": " + readings);
        });
  }

  @Test
  void gatewaySendsWhenItsRecordIsFullOrItsTimeIsOver() throws Exception {
    Fleet fleet = fleet(Map.of(Knob.BATCH, "2", Knob.COLLECT, "1s", Knob.GATEWAY_SENSORS, "10"));
    Gateways gateways = gateways(fleet);
    gateways.add(5, 0, Gateways.key(3, 7, 1), 1_000, 0, Double.doubleToRawLongBits(1.5));
    gateways.add(6, 1, Gateways.key(12, 8, 1), 2_000, 0, Double.doubleToRawLongBits(-0.0));
    assertThat(gateways.nextDueNanos()).isEqualTo(5 + SECOND);
    gateways.add(7, 0, Gateways.key(4, 9, 2), 3_000, 6, Double.doubleToRawLongBits(2.5));
    assertThat(gateways.nextDueNanos()).isEqualTo(6 + SECOND);
    gateways.step();
    assertThat(gateways.nextDueNanos()).isEqualTo(Long.MAX_VALUE);
    gateways.add(8, 1, Gateways.key(13, 1, 1), 4_000, 0, 0);
    gateways.sendAll(9);
    assertThat(records)
        .containsExactly("0 due 7: 2", "1 due " + (6 + SECOND) + ": 1", "1 due 9: 1");
    assertThat(decoded)
        .containsExactly("f/3 1000 0 1.5", "f/4 3000 6 2.5", "f/12 2000 0 -0.0", "f/13 4000 0 0.0");
  }

  @Test
  void everyOtherGatewayChangesItsSchemaAndKeepsItsTimes() throws Exception {
    Fleet fleet = fleet(Map.of(Knob.SCHEMA_CHANGE_AFTER, "1s", Knob.GATEWAY_SENSORS, "10"));
    RecordEncoder encoder = new RecordEncoder(fleet);
    byte[] before = encoder.reading(15, SECOND - 1, 5_000, 1, 0);
    byte[] after = encoder.reading(15, SECOND, 5_000, 1, 0);
    assertThat(after).isNotEqualTo(before);
    assertThat(encoder.reading(5, SECOND, 5_000, 1, 0))
        .hasSameSizeAs(encoder.reading(5, 0, 5_000, 1, 0));
    decode(before);
    decode(after);
    assertThat(decoded).containsExactly("f/15 5000 1 0.0", "f/15 5000 1 0.0");
  }

  @Test
  void badRecordsAreBadInTheWayTheySay() throws Exception {
    RecordEncoder encoder = new RecordEncoder(fleet(Map.of()));
    for (Poison form : Poison.values()) {
      assertThat(decode(encoder.poison(1, 0x7b7b7b7bL, form)))
          .as("%s", form)
          .isEqualTo(form.decodable());
    }
  }
}
