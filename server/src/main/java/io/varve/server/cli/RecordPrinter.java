package io.varve.server.cli;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.varve.server.client.JsonTree;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Prints records of the same columns as they come, in bounded memory. A column that a record lacks
 * is empty, or left out in JSON.
 */
interface RecordPrinter extends AutoCloseable {
  /** Prints one record, its values by column. */
  void print(Map<String, ?> record);

  /** Ends the output; the writer stays open. */
  @Override
  void close();

  /** The text of one cell. */
  private static String cell(Map<String, ?> record, String column) {
    Object value = record.get(column);
    return value == null || value instanceof Optional<?> none && none.isEmpty()
        ? ""
        : value.toString();
  }

  /** Aligned columns. Widths come from the first records; later ones may be wider. */
  final class Table implements RecordPrinter {
    private static final int MEASURED = 1000;
    private final PrintWriter out;
    private final List<String> columns;
    private final List<String[]> waiting = new ArrayList<>();
    private final int[] widths;
    private boolean measured;

    Table(PrintWriter out, List<String> columns) {
      this.out = out;
      this.columns = List.copyOf(columns);
      this.widths = columns.stream().mapToInt(String::length).toArray();
    }

    @Override
    public void print(Map<String, ?> record) {
      String[] cells = columns.stream().map(c -> cell(record, c)).toArray(String[]::new);
      if (measured) {
        line(cells);
        return;
      }
      waiting.add(cells);
      for (int i = 0; i < cells.length; i++) {
        widths[i] = Math.max(widths[i], cells[i].codePointCount(0, cells[i].length()));
      }
      if (waiting.size() == MEASURED) {
        printWaiting();
      }
    }

    private void printWaiting() {
      measured = true;
      line(columns.toArray(String[]::new));
      waiting.forEach(this::line);
      waiting.clear();
    }

    private void line(String[] cells) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < cells.length; i++) {
        line.append(cells[i]);
        if (i + 1 < cells.length) {
          int pad = widths[i] - cells[i].codePointCount(0, cells[i].length());
          line.append(" ".repeat(Math.max(0, pad) + 2));
        }
      }
      out.println(line.toString().stripTrailing());
    }

    @Override
    public void close() {
      if (!measured) {
        printWaiting();
      }
      out.flush();
    }
  }

  /** One JSON array of objects. */
  final class Json implements RecordPrinter {
    private final PrintWriter out;
    private final List<String> columns;
    private final JsonTree.Printer json;

    Json(PrintWriter out, List<String> columns) {
      this.out = out;
      this.columns = List.copyOf(columns);
      this.json = new JsonTree.Printer(out, false);
      try {
        json.startArray();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void print(Map<String, ?> record) {
      Map<String, Object> object = new LinkedHashMap<>();
      for (String column : columns) {
        Object value = record.get(column);
        if (value != null) {
          object.put(column, value);
        }
      }
      try {
        json.write(object);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      try {
        json.endArray();
        json.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      out.println();
      out.flush();
    }
  }

  /** CSV with a header line, cells exactly as the node gave them. */
  final class Csv implements RecordPrinter {
    private final PrintWriter out;
    private final List<String> columns;
    private final CsvWriter csv;

    Csv(PrintWriter out, List<String> columns) {
      this.out = out;
      this.columns = List.copyOf(columns);
      this.csv =
          CsvWriter.builder().lineDelimiter(de.siegmar.fastcsv.writer.LineDelimiter.LF).build(out);
      csv.writeRecord(this.columns);
    }

    @Override
    public void print(Map<String, ?> record) {
      csv.writeRecord(columns.stream().map(c -> cell(record, c)).toList());
    }

    @Override
    public void close() {
      try {
        csv.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      out.flush();
    }
  }
}
