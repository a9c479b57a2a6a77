package io.varve.server.node;

/**
 * The figures of a node's live status line.
 *
 * @param readingsIn readings and records accounted for since the stores were created: stored,
 *     overwritten, duplicate, refused or dead-lettered
 * @param visibleLagRecords acknowledged records that are not visible yet
 * @param rowsStored rows stored
 * @param repeated readings that were there already, with the same value or another one
 * @param refused readings that break a rule, and records that are not decodable
 */
public record Pulse(
    long readingsIn, long visibleLagRecords, long rowsStored, long repeated, long refused) {}
