package io.varve.server.cli;

/** What a load can be put on. */
enum LoadedSystem {
  /** A node. */
  varve,
  /** A Kafka Streams application over RocksDB, for comparison. */
  streams
}
