package io.varve.storage.engine;

import io.varve.storage.RowRun;
import io.varve.storage.sealed.RunDecoder;
import io.varve.storage.sealed.RunEncoder;

/** What sealing and unsealing work with, reused. One for the writer of a store, under its lock. */
final class Sealer {
  final RunEncoder encoder = new RunEncoder();
  final RunDecoder decoder = new RunDecoder();
  final RowRun run = new RowRun(RunDecoder.MAX_ROWS);
}
