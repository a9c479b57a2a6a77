package io.varve.server.node;

/** Where a node is in its life. */
enum NodePhase {
  STARTING_BROKER("the in-process broker is starting"),
  STARTING_INGEST("ingest is starting"),
  RUNNING(""),
  STOPPING("the node is stopping"),
  BROKER_FAILED("the in-process broker gave up");

  private final String whyNotReady;

  NodePhase(String whyNotReady) {
    this.whyNotReady = whyNotReady;
  }

  /** Why the node cannot answer in this phase; empty when it may. */
  String whyNotReady() {
    return whyNotReady;
  }
}
