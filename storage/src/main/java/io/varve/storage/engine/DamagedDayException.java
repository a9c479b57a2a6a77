package io.varve.storage.engine;

/** A day that turned out damaged when the writer needed it; the record has to be applied again. */
final class DamagedDayException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  final int day;

  DamagedDayException(int day, Throwable cause) {
    super("day is damaged: day=" + day, cause);
    this.day = day;
  }
}
