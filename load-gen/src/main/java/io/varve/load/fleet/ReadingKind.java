package io.varve.load.fleet;

/** Why a reading is sent at the moment at which it is sent. */
public enum ReadingKind {
  /** For the first time, when it was measured. */
  FRESH(1),
  /** For the first time, some time after it was measured. */
  LATE(2),
  /** For the first time, after its sensor was offline. */
  HELD(3),
  /** Again as it was, since the sender does not know that it arrived. */
  REPEATED(4),
  /** Again with another value. */
  CORRECTED(5);

  /** Enters the workload's hash: never to be changed. */
  final int code;

  ReadingKind(int code) {
    this.code = code;
  }
}
