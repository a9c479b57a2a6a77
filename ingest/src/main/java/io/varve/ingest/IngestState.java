package io.varve.ingest;

/** Where a node's ingest stands. */
public enum IngestState {
  /** Created, or waiting for its first assignment. */
  STARTING,
  /** Reading, routing and applying. */
  RUNNING,
  /** Topic partitions are moving, or stores are restoring; what is served stays served. */
  REBALANCING,
  /** Stopped by an error that it cannot get over; see {@link IngestService#reason}. */
  FAILED,
  /** Closed on request. */
  STOPPED
}
