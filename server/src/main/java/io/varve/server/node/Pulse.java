package io.varve.server.node;

/**
 * The three figures of a node's live status line.
 *
 * @param readingsIn readings and records accounted for since the stores were created: stored,
 *     overwritten, duplicate, refused or dead-lettered
 * @param visibleLagRecords acknowledged records that are not visible yet
 * @param rowsStored rows stored
 */
public record Pulse(long readingsIn, long visibleLagRecords, long rowsStored) {}
