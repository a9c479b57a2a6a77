package io.varve.query.api;

import com.fasterxml.jackson.core.io.NumberOutput;
import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.varve.schemas.Rfc3339;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

/**
 * CSV (RFC 4180, lines end in LF) streamed into a {@link Body}. Single-threaded; one for each
 * answer.
 *
 * <p>Numbers, instants and names of ours never need quotes and are put as they are; texts of others
 * go through the CSV library. With {@code neutral}, a text that a spreadsheet would run as a
 * formula is preceded by an apostrophe; numbers stay numbers.
 */
final class CsvBody {
  private final Body body;
  private final TimeFormat times;
  private final boolean neutral;
  private final StringWriter quoted = new StringWriter();
  private final CsvWriter quoting;
  private final char[] numberText = new char[DoubleText.MAX_LENGTH];
  private boolean lineBegun;

  CsvBody(Body body, TimeFormat times, boolean neutral) {
    this.body = body;
    this.times = times;
    this.neutral = neutral;
    this.quoting = CsvWriter.builder().bufferSize(0).lineDelimiter(LineDelimiter.LF).build(quoted);
  }

  private void separate() {
    if (lineBegun) {
      body.write(',');
    }
    lineBegun = true;
  }

  /** Puts a cell that needs no quotes. */
  CsvBody plain(String text) {
    separate();
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    body.write(bytes, 0, bytes.length);
    return this;
  }

  /** Puts a cell with a text of others. */
  CsvBody text(String text) {
    separate();
    boolean formula = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0;
    quoted.getBuffer().setLength(0);
    quoting.writeRecord(neutral && formula ? "'" + text : text);
    byte[] bytes = quoted.toString().getBytes(StandardCharsets.UTF_8);
    body.write(bytes, 0, bytes.length - 1);
    return this;
  }

  CsvBody instant(long micros) {
    if (times != TimeFormat.RFC3339) {
      return number(times.number(micros));
    }
    separate();
    body.reserve(Rfc3339.LENGTH);
    Rfc3339.write(micros, body.bytes(), body.length());
    body.added(Rfc3339.LENGTH);
    return this;
  }

  CsvBody number(long value) {
    separate();
    body.reserve(20);
    body.added(NumberOutput.outputLong(value, body.bytes(), body.length()) - body.length());
    return this;
  }

  /** Puts a double that reads back to the same bits; NaN, Infinity and -Infinity by name. */
  CsvBody value(double value) {
    if (!Double.isFinite(value)) {
      return plain(Double.toString(value));
    }
    separate();
    int length = DoubleText.write(value, numberText, 0);
    body.reserve(length);
    for (int i = 0; i < length; i++) {
      body.bytes()[body.length() + i] = (byte) numberText[i];
    }
    body.added(length);
    return this;
  }

  /** Ends a line. */
  void endLine() {
    body.write('\n');
    lineBegun = false;
  }
}
