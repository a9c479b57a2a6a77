package io.varve.storage.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the store leans on in the pinned version of Chronicle Map. */
class BlockFileTest {
  private static final int BLOCKS = 2_000;
  private static final int[] LENGTHS = {1, 8, 16, 100, 7, 2_000, BlockFile.BLOCK_BYTES};

  private final SplittableRandom random = new SplittableRandom(1);

  /** C169: contents of other lengths, in any order, move no block and spill into no other. */
  @Test
  void rewrittenBlocksStayWhereTheyAreAndReadBackExactly(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("a.blocks");
    long[] hashes = new long[BLOCKS];
    try (BlockFile file = BlockFile.create(path, BLOCKS, BlockFile.Placing.PAGED)) {
      long[] addresses = addresses(file);
      for (int length : LENGTHS) {
        for (int block : shuffled()) {
          hashes[block] = write(file, block, length);
        }
        assertThat(hashes(file)).as("after length %d", length).isEqualTo(hashes);
        assertThat(addresses(file)).isEqualTo(addresses);
      }
    }
    try (BlockFile file = BlockFile.open(path, BLOCKS)) {
      assertThat(hashes(file)).as("opened again").isEqualTo(hashes);
    }
  }

  @Test
  void newBlocksAreZeroAndLieApart(@TempDir Path folder) throws IOException {
    for (BlockFile.Placing placing : BlockFile.Placing.values()) {
      for (int blocks : new int[] {1, 2, 7, 16, 17, 128, 129, 130, 300}) {
        Path path = folder.resolve(placing + "." + blocks);
        BlockFile.create(path, blocks, placing).close();
        long bytes = (long) blocks * BlockFile.BLOCK_BYTES;
        assertThat(Files.size(path)).isBetween(bytes, bytes + bytes / 32 + 4 * 4_096);
        try (BlockFile file = BlockFile.open(path, blocks)) {
          for (int block = 0; block < blocks; block++) {
            checkNew(file, block, placing);
          }
        }
      }
    }
  }

  private static void checkNew(BlockFile file, int block, BlockFile.Placing placing) {
    UnsafeBuffer memory = memory(file, block);
    for (int i = 0; i < BlockFile.BLOCK_BYTES; i += 8) {
      assertThat(memory.getLong(i)).isZero();
    }
    if (block > 0) {
      assertThat(file.address(block) - file.address(block - 1))
          .isGreaterThanOrEqualTo(BlockFile.BLOCK_BYTES);
    }
    if (placing == BlockFile.Placing.PAGED && file.blocks() > 16) {
      assertThat(file.address(block) % 4_096).isZero();
    }
  }

  private static UnsafeBuffer memory(BlockFile file, int block) {
    return new UnsafeBuffer(file.address(block), BlockFile.BLOCK_BYTES);
  }

  /** Writes random bytes and a zero tail; returns the hash of the whole block. */
  private long write(BlockFile file, int block, int length) {
    byte[] content = new byte[BlockFile.BLOCK_BYTES];
    byte[] head = new byte[length];
    random.nextBytes(head);
    System.arraycopy(head, 0, content, 0, length);
    memory(file, block).putBytes(0, content);
    return hash(content);
  }

  private static long hash(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return crc.getValue();
  }

  private static long[] hashes(BlockFile file) {
    long[] hashes = new long[file.blocks()];
    byte[] content = new byte[BlockFile.BLOCK_BYTES];
    for (int block = 0; block < hashes.length; block++) {
      memory(file, block).getBytes(0, content);
      hashes[block] = hash(content);
    }
    return hashes;
  }

  private static long[] addresses(BlockFile file) {
    long[] addresses = new long[file.blocks()];
    for (int block = 0; block < addresses.length; block++) {
      addresses[block] = file.address(block);
    }
    return addresses;
  }

  private int[] shuffled() {
    int[] order = new int[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
      int at = random.nextInt(i + 1);
      order[i] = order[at];
      order[at] = i;
    }
    return order;
  }
}
