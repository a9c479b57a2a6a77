package io.varve.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.server.client.NumberText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordPrinterTest {
  private static final List<String> COLUMNS = List.of("sensor_id", "value", "sequence");
  private final StringWriter text = new StringWriter();
  private final PrintWriter out = new PrintWriter(text);

  @Test
  void tableIsAlignedAndHasNoTrailingSpaces() {
    print(new RecordPrinter.Table(out, COLUMNS));
    assertThat(text.toString())
        .isEqualTo(
            """
            sensor_id  value  sequence
            a, "b"     -0.0
            plant/é    1.5    7
            """);
  }

  @Test
  void jsonKeepsNumbersAsTheNodeWroteThem() {
    print(new RecordPrinter.Json(out, COLUMNS));
    assertThat(text.toString())
        .isEqualTo(
            "[{\"sensor_id\":\"a, \\\"b\\\"\",\"value\":-0.0},"
                + "{\"sensor_id\":\"plant/é\",\"value\":1.5,\"sequence\":7}]\n");
  }

  @Test
  void csvQuotesWhereItMust() {
    print(new RecordPrinter.Csv(out, COLUMNS));
    assertThat(text.toString())
        .isEqualTo("sensor_id,value,sequence\n\"a, \"\"b\"\"\",-0.0,\nplant/é,1.5,7\n");
  }

  @Test
  void nothingIsStillADocument() {
    new RecordPrinter.Json(out, COLUMNS).close();
    new RecordPrinter.Csv(out, COLUMNS).close();
    new RecordPrinter.Table(out, COLUMNS).close();
    assertThat(text.toString())
        .isEqualTo("[]\nsensor_id,value,sequence\nsensor_id  value  sequence\n");
  }

  private static void print(RecordPrinter printer) {
    try (printer) {
      printer.print(Map.of("sensor_id", "a, \"b\"", "value", new NumberText("-0.0")));
      printer.print(
          Map.of(
              "sensor_id", "plant/é",
              "value", new NumberText("1.5"),
              "sequence", new NumberText("7")));
    }
  }
}
