package io.varve.storage.engine;

import io.varve.storage.RowRun;
import io.varve.storage.sealed.RunDecoder;
import java.io.IOException;

/**
 * The sealed blocks of a segment: written one after another into slabs, which are blocks that many
 * sensors share. For the writer, and for whoever opens the segment.
 */
final class SealedBlocks {
  private final SegmentMap map;
  private final Slab slab = new Slab();

  /** Number of the slab that takes the next sealed block, and its room; -1 before the first. */
  private int slabNumber = -1;

  private int slabRoom;

  /** Bytes of sealed blocks written since the segment was opened. */
  private long written;

  SealedBlocks(SegmentMap map) {
    this.map = map;
  }

  /** Bytes of sealed blocks written since the segment was opened. */
  long written() {
    return written;
  }

  /**
   * Seals rows {@code [from, to)} of a run for a partition, adding a slab when there is no room.
   *
   * @return the sealed block's place
   * @throws IOException if a slab is needed and the disk has no room; nothing was changed
   */
  long seal(Partition partition, RowRun run, int from, int to) throws IOException {
    if (slabNumber >= 0) {
      int at = trySeal(partition, run, from, to);
      if (at >= 0) {
        return BlockDirectory.place(slabNumber, at);
      }
    }
    int number = map.allocate();
    slab.at(map.address(number)).format(map.day);
    slabNumber = number;
    return BlockDirectory.place(number, trySeal(partition, run, from, to));
  }

  private int trySeal(Partition partition, RowRun run, int from, int to) {
    int at =
        slab.at(map.address(slabNumber))
            .seal(
                map.sealer.encoder,
                partition.sensor.id,
                partition.shard,
                partition.layout.seed(),
                run,
                from,
                to);
    if (at >= 0) {
      partition.grow(slab.length(at));
      written += slab.length(at);
    }
    return at;
  }

  /** Takes a slab that was found in the files as the one to fill, if it has more room. */
  void adopt(int number, int used) {
    if (slabNumber < 0 || Slab.END - used > slabRoom) {
      slabNumber = number;
      slabRoom = Slab.END - used;
    }
  }

  /**
   * Points the writer's decoder at a sealed block.
   *
   * @throws io.varve.storage.CorruptBlockException if it fails its checksum
   */
  RunDecoder decode(long place, long seed) {
    return slabOf(place).decode(BlockDirectory.offset(place), seed, map.sealer.decoder);
  }

  /** Length of a sealed block. */
  int length(long place) {
    return slabOf(place).length(BlockDirectory.offset(place));
  }

  /** Marks a sealed block as dead. */
  void kill(long place) {
    slabOf(place).kill(BlockDirectory.offset(place));
  }

  private Slab slabOf(long place) {
    return slab.at(map.address(BlockDirectory.number(place)));
  }
}
