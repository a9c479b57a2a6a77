package io.varve.load.streams;

import java.util.concurrent.atomic.LongAdder;

/** What the application has done with readings, over all its tasks. */
final class Counts {
  /** Readings put into the store, whether there was a row of their key or not. */
  final LongAdder stored = new LongAdder();

  /** Readings without what a row needs. */
  final LongAdder refused = new LongAdder();

  /** Records that no schema reads. */
  final LongAdder undecodable = new LongAdder();
}
