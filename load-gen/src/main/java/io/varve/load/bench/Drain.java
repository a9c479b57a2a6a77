package io.varve.load.bench;

/**
 * Readings that waited in the topic and were then taken in as fast as the target can, for a limited
 * time.
 *
 * @param batch readings a record
 * @param readings how many were taken in
 * @param nanos from the beginning until they were counted in the ledger
 */
public record Drain(int batch, long readings, long nanos) {
  /** Readings taken in a second. */
  public double perSecond() {
    return nanos == 0 ? 0 : readings * 1e9 / nanos;
  }
}
