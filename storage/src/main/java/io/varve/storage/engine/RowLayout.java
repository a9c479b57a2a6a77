package io.varve.storage.engine;

import io.varve.storage.chronicle.BlockFile;
import io.varve.storage.hash.Hashing;

/**
 * Where the rows of one partition lie in its plain blocks, and what their checksums are seeded
 * with.
 *
 * @param rowsAt offset of the first place for a row
 * @param capacity places for rows in a block
 * @param seed of the checksums; from id, day and shard, so that a row can't be taken for another
 *     partition's
 */
record RowLayout(int rowsAt, int capacity, long seed) {
  /** Lays out the blocks of a partition. */
  static RowLayout of(byte[] id, int day, int shard) {
    int rowsAt = Block.ID_AT + (id.length + 3 & ~3);
    return new RowLayout(
        rowsAt,
        (BlockFile.BLOCK_BYTES - rowsAt) / Block.ROW_BYTES,
        Hashing.mix(Hashing.of(id, 0, id.length), ((long) day << 32) ^ shard));
  }
}
