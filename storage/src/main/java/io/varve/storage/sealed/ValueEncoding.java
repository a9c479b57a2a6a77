package io.varve.storage.sealed;

/** How the values of a run are written. */
public enum ValueEncoding {
  /** One value for all rows. */
  CONSTANT(0),
  /** Whole numbers over one power of ten, in frames. */
  DECIMAL(1),
  /** Bits that differ from the row before, in frames. */
  XOR(2),
  /** The bits as they are. */
  RAW(3);

  private final byte code;

  ValueEncoding(int code) {
    this.code = (byte) code;
  }

  /** The number that stands for it in a payload; never changes. */
  public byte code() {
    return code;
  }
}
