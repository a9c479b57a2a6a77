package io.varve.server.put;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import io.varve.server.advise.ReplayFeed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Reads CSV files for their keys and sizes only: columns as a put takes them, values unread.
 *
 * <p>The size of a row is that of its line: the bytes of all cells in UTF-8, of the separators
 * between them and of one line end; quotes are not counted. Single-threaded, used once.
 */
public final class CsvScan {
  private static final int PROGRESS_LINES = 1 << 16;

  private final ReplayFeed feed;
  private final PutListener listener;
  private long refused;
  private int unusable;
  private long bytesBefore;

  public CsvScan(ReplayFeed feed, PutListener listener) {
    this.feed = feed;
    this.listener = listener;
  }

  /** Reads all sources, one after another. */
  public void run(List<CsvSource> sources) throws InterruptedException {
    for (CsvSource source : sources) {
      try {
        scan(source);
      } catch (UnusableFileException e) {
        unusable++;
        listener.unusable(source, String.valueOf(e.getMessage()));
      }
    }
  }

  /** Lines that are no reading. */
  public long refusedLines() {
    return refused;
  }

  /** Files that could not be read, or only in part. */
  public int unusableFiles() {
    return unusable;
  }

  private void scan(CsvSource source) throws UnusableFileException, InterruptedException {
    Cells cells = new Cells();
    try (CountedInput in = new CountedInput(source.open());
        CsvReader<Cells> csv =
            CsvReader.builder()
                .detectBomHeader(true)
                .skipEmptyLines(true)
                .allowExtraFields(true)
                .allowMissingFields(true)
                .build(cells, in, StandardCharsets.UTF_8)) {
      Iterator<Cells> lines = csv.iterator();
      if (!lines.hasNext()) {
        throw new UnusableFileException("it is empty; the first line must name the columns");
      }
      lines.next();
      CsvLayout layout = CsvLayout.of(cells.header, source.sensor().isPresent());
      layout.notice().ifPresent(text -> listener.notice(source, text));
      cells.layout = Optional.of(layout);
      if (source.sensor().isPresent()) {
        cells.takeSensor(Put.checked(source.sensor().get()));
      }
      long read = 0;
      while (lines.hasNext()) {
        lines.next();
        try {
          row(layout, cells);
        } catch (RefusedLineException e) {
          refused++;
          listener.refused(source, cells.line(), String.valueOf(e.getMessage()));
        }
        if (++read % PROGRESS_LINES == 0) {
          listener.progress(bytesBefore + in.count(), feed.rows());
        }
      }
      bytesBefore += in.count();
      listener.progress(bytesBefore, feed.rows());
    } catch (CsvParseException e) {
      throw new UnusableFileException("what follows is no CSV: " + e.getMessage(), e);
    } catch (UncheckedIOException e) {
      throw new UnusableFileException("it cannot be read: " + e.getCause(), e);
    } catch (IOException e) {
      throw new UnusableFileException("it cannot be read: " + e, e);
    }
  }

  private void row(CsvLayout layout, Cells cells)
      throws RefusedLineException, InterruptedException {
    layout.checkFields(cells.count());
    if (!cells.sensorIsPlain) {
      cells.takeSensor(LineReader.sensor(cells.sensor));
    }
    long timestamp = LineReader.timestamp(cells.timestamp);
    if (!cells.hasValue) {
      throw new RefusedLineException("value is missing");
    }
    feed.row(cells.id, 0, cells.idLength, timestamp, cells.bytes + cells.count());
  }

  /** The cells of the line that was read last, as far as they are looked at. */
  private static final class Cells extends AbstractBaseCsvCallbackHandler<Cells> {
    final List<String> header = new ArrayList<>();
    Optional<CsvLayout> layout = Optional.empty();

    /** The sensor id in UTF-8; of a line that names one that is not plain, set by its reader. */
    byte[] id = new byte[256];

    int idLength;
    boolean sensorIsPlain = true;
    String sensor = "";
    String timestamp = "";
    boolean hasValue;

    /** Of all cells, in UTF-8. */
    long bytes;

    int count() {
      return getFieldCount();
    }

    long line() {
      return getStartingLineNumber();
    }

    void takeSensor(String text) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8); // 256 bytes at most, as was checked
      System.arraycopy(utf8, 0, id, 0, utf8.length);
      idLength = utf8.length;
    }

    @Override
    protected void handleBegin(long startingLineNumber) {
      bytes = 0;
      timestamp = "";
      hasValue = false;
    }

    @Override
    protected void handleField(int index, char[] text, int offset, int length, boolean quoted) {
      if (layout.isEmpty()) {
        header.add(new String(text, offset, length));
        return;
      }
      CsvLayout columns = layout.get();
      bytes += utf8Length(text, offset, length);
      if (index == columns.sensor()) {
        sensorIsPlain = plain(text, offset, length);
        if (!sensorIsPlain) {
          sensor = new String(text, offset, length);
        }
      } else if (index == columns.timestamp()) {
        timestamp = new String(text, offset, length);
      } else if (index == columns.value()) {
        hasValue = length > 0;
      }
    }

    /** Takes an id of printable ASCII, which needs no further check; false for any other. */
    private boolean plain(char[] text, int offset, int length) {
      if (length == 0 || length > id.length) {
        return false;
      }
      for (int i = 0; i < length; i++) {
        char c = text[offset + i];
        if (c < 0x20 || c > 0x7e) {
          return false;
        }
        id[i] = (byte) c;
      }
      idLength = length;
      return true;
    }

    private static long utf8Length(char[] text, int offset, int length) {
      long bytes = length;
      for (int i = offset; i < offset + length; i++) {
        char c = text[i];
        if (c >= 0x80) { // each half of a surrogate pair counts two of the four
          bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
        }
      }
      return bytes;
    }

    @Override
    protected Cells buildRecord() {
      return this;
    }
  }
}
