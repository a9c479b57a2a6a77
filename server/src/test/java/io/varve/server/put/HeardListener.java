package io.varve.server.put;

import java.util.List;

/** A listener that keeps what it is told. */
record HeardListener(List<String> lines) implements PutListener {
  @Override
  public void refused(CsvSource source, long line, String reason) {
    lines.add(source.label() + ":" + line + ": " + reason);
  }

  @Override
  public void unusable(CsvSource source, String reason) {
    lines.add(source.label() + ": " + reason);
  }

  @Override
  public void notice(CsvSource source, String text) {
    lines.add(source.label() + ": " + text);
  }

  @Override
  public void progress(long bytes, long rows) {}
}
