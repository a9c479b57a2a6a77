package io.varve.storage;

import java.util.Set;

/**
 * Counters of one store, as of now.
 *
 * @param stored rows in the segments
 * @param expired rows dropped since the store was created with their day, which had passed the
 *     retention
 * @param capped rows dropped with their day because the stores took more than the cap in bytes
 * @param cappedDays the days that were dropped so
 * @param late rows that did not come behind the newest of their partition; they are in {@code
 *     stored} and what left of it as well
 * @param overwritten rows that replaced another value under the same key
 * @param duplicates rows that were there already, same key and same value
 * @param expiredOnArrival rows whose day had already expired when they were applied
 * @param undecodable records of {@code rows} that could not be read
 * @param segments days held
 * @param openSegments days whose files are mapped
 * @param bytes bytes on disk
 * @param damagedSegments segments set aside as damaged since the store was created
 * @param incompleteDays days kept although the log no longer reaches back to all of their rows
 */
public record StoreTotals(
    long stored,
    long expired,
    long capped,
    Set<Integer> cappedDays,
    long late,
    long overwritten,
    long duplicates,
    long expiredOnArrival,
    long undecodable,
    int segments,
    int openSegments,
    long bytes,
    long damagedSegments,
    int incompleteDays) {
  public StoreTotals {
    cappedDays = Set.copyOf(cappedDays);
  }
}
