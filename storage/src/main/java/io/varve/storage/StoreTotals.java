package io.varve.storage;

/**
 * Counters of one store, as of now.
 *
 * @param stored rows in the segments
 * @param expired rows dropped with their day since the store was created
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
    long overwritten,
    long duplicates,
    long expiredOnArrival,
    long undecodable,
    int segments,
    int openSegments,
    long bytes,
    long damagedSegments,
    int incompleteDays) {}
