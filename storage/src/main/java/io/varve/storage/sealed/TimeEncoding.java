package io.varve.storage.sealed;

/** How the timestamps of a run are written. */
public enum TimeEncoding {
  /** A straight line, in pieces where there are gaps, and what is left at one width. */
  LINE(0),
  /** Steps from row to row, in frames. */
  DELTA(1);

  private final byte code;

  TimeEncoding(int code) {
    this.code = (byte) code;
  }

  /** The number that stands for it in a payload; never changes. */
  public byte code() {
    return code;
  }
}
