package io.varve.storage;

/** Whether a store may answer. */
public enum StoreState {
  /** Opened, its replay of the log has not yet passed what it had applied before. */
  RESTORING,
  /** Answers are complete as of the applied offset. */
  SERVING,
  /** Damage was found; the damaged days are being rebuilt from the log. */
  REBUILDING,
  /** Not on this node (any more). */
  CLOSED
}
