package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.SensorId;
import io.varve.storage.chronicle.BlockFile;
import java.util.List;

/**
 * Derives a segment's directories from the blocks of its files.
 *
 * <p>Checks every block and row: a flipped key would mislead searches without being met itself.
 */
final class SegmentOpening {
  private final SegmentMap map;
  private final List<BlockFile> files;
  private final SensorTable sensors;
  private final boolean recovering;
  private final Slab slab = new Slab();

  /**
   * @param recovering whether sensors unknown so far are added (under the store's lock), not
   *     refused
   */
  SegmentOpening(SegmentMap map, List<BlockFile> files, SensorTable sensors, boolean recovering) {
    this.map = map;
    this.files = files;
    this.sensors = sensors;
    this.recovering = recovering;
  }

  /**
   * Undoes a half-done change, then derives every directory.
   *
   * @throws CorruptBlockException if anything contradicts itself, naming the place
   */
  void run() {
    map.header.verify(map.day, files.size());
    map.undo.undo(map);
    for (int file = 0; file < files.size(); file++) {
      int from = file == 0 ? BlockSpace.RESERVED_BLOCKS : 0;
      for (int place = from; place < files.get(file).blocks(); place++) {
        try {
          adopt(BlockSpace.number(file, place));
        } catch (CorruptBlockException e) {
          throw new CorruptBlockException(
              e.getMessage() + " file=" + files.get(file).path() + " block=" + place);
        }
      }
    }
    map.partitions().forEach(Partition::join);
  }

  private void adopt(int number) {
    Block block = map.block.at(map.address(number));
    switch (block.kind()) {
      case Block.KIND_FREE -> map.space.release(number);
      case Block.KIND_SLAB -> {
        adoptSlab(number);
        if (map.generation == 0) {
          map.space.countCalled();
        }
      }
      default -> {
        block.verifyHeader(map.day);
        Partition partition = partition(block.id(), block.shard());
        block.at(map.address(number), partition.layout).verifyRows();
        partition.adopt(block, number);
        map.space.countCalled();
      }
    }
  }

  private void adoptSlab(int number) {
    slab.at(map.address(number)).verifyHeader(map.day);
    int used = slab.used();
    for (int at = Slab.SEALED_AT; at < used; at += slab.length(at)) {
      slab.verifyShape(at);
      if (slab.isLive(at)) {
        Partition partition = partition(slab.id(at), slab.shard(at));
        partition.adopt(slab.decode(at, partition.layout.seed(), map.sealer.decoder), number, at);
        partition.countBytes(slab.length(at));
      }
    }
    map.sealed.adopt(number, used);
  }

  private Partition partition(byte[] id, int shard) {
    if (SensorId.check(id, 0, id.length) != null) {
      throw new CorruptBlockException("block names no sensor");
    }
    SensorEntry sensor =
        recovering ? sensors.findOrAdd(id, 0, id.length) : sensors.find(id, 0, id.length);
    if (sensor == null) {
      throw new CorruptBlockException("block names a sensor that the day's index does not");
    }
    return map.partitionOrNew(sensor, shard);
  }
}
