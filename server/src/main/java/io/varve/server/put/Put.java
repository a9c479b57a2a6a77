package io.varve.server.put;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;

/**
 * The import of CSV files into a {@link RowSink}, in one pass and bounded memory.
 *
 * <p>The first line of each file names its columns. Lines that are no reading are told and left
 * out; all others go in, in the file's order. Single-threaded, used once.
 */
public final class Put {
  private static final int PROGRESS_LINES = 4096;
  private static final String REPEAT_UNKNOWN =
      "comes so far out of order that it cannot be told whether it repeats an earlier timestamp:"
          + " sort the file by time, or add a column sequence";

  private final RowSink sink;
  private final PutListener listener;
  private int files;
  private int unusable;
  private long refused;
  private long sent;
  private long bytesBefore;

  public Put(RowSink sink, PutListener listener) {
    this.sink = sink;
    this.listener = listener;
  }

  /** Puts all sources, one after another, and waits for acknowledgements. */
  public PutReport run(List<CsvSource> sources) {
    long start = System.nanoTime();
    for (CsvSource source : sources) {
      try {
        put(source);
        files++;
      } catch (UnusableFileException e) {
        unusable++;
        listener.unusable(source, String.valueOf(e.getMessage()));
      }
    }
    sink.finish();
    return new PutReport(
        files, unusable, sink.acknowledged(), refused, sink.failed(), System.nanoTime() - start);
  }

  private void put(CsvSource source) throws UnusableFileException {
    try (CountedInput in = new CountedInput(source.open());
        CsvReader<CsvRecord> csv =
            CsvReader.builder()
                .detectBomHeader(true)
                .skipEmptyLines(true)
                .allowExtraFields(true)
                .allowMissingFields(true)
                .ofCsvRecord(in, StandardCharsets.UTF_8)) {
      Iterator<CsvRecord> records = csv.iterator();
      if (!records.hasNext()) {
        throw new UnusableFileException("it is empty; the first line must name the columns");
      }
      CsvLayout layout = CsvLayout.of(records.next().getFields(), source.sensor().isPresent());
      layout.notice().ifPresent(text -> listener.notice(source, text));
      RepeatNumbers repeats = new RepeatNumbers();
      String sensor = source.sensor().isPresent() ? checked(source.sensor().get()) : "";
      long lines = 0;
      while (records.hasNext()) {
        CsvRecord record = records.next();
        try {
          row(layout, record, sensor, repeats);
        } catch (RefusedLineException e) {
          refused++;
          listener.refused(source, record.getStartingLineNumber(), String.valueOf(e.getMessage()));
        }
        if (++lines % PROGRESS_LINES == 0) {
          listener.progress(bytesBefore + in.count(), sent);
        }
      }
      bytesBefore += in.count();
      listener.progress(bytesBefore, sent);
    } catch (CsvParseException e) {
      throw new UnusableFileException("what follows is no CSV: " + e.getMessage(), e);
    } catch (UncheckedIOException e) {
      throw new UnusableFileException("it cannot be read: " + e.getCause(), e);
    } catch (IOException e) {
      throw new UnusableFileException("it cannot be read: " + e, e);
    }
  }

  /** Checks the sensor that is given for a whole file. */
  static String checked(String sensor) throws UnusableFileException {
    try {
      return LineReader.sensor(sensor);
    } catch (RefusedLineException e) {
      throw new UnusableFileException("its sensor cannot be used: " + e.getMessage());
    }
  }

  private void row(CsvLayout layout, CsvRecord record, String sensorOfFile, RepeatNumbers repeats)
      throws RefusedLineException {
    layout.checkFields(record.getFieldCount());
    String sensor =
        layout.sensor() < 0 ? sensorOfFile : LineReader.sensor(record.getField(layout.sensor()));
    long timestamp = LineReader.timestamp(record.getField(layout.timestamp()));
    double value = LineReader.value(record.getField(layout.value()));
    long sequence;
    if (layout.sequence() >= 0) {
      sequence = LineReader.sequence(record.getField(layout.sequence()));
    } else {
      sequence = repeats.next(sensor, timestamp);
      if (sequence == RepeatNumbers.UNKNOWN) {
        throw new RefusedLineException(REPEAT_UNKNOWN);
      }
    }
    sink.row(sensor, timestamp, value, sequence);
    sent++;
  }
}
