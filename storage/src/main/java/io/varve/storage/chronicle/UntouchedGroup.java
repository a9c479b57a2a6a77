package io.varve.storage.chronicle;

import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.bytes.RandomDataInput;
import net.openhft.chronicle.bytes.RandomDataOutput;
import net.openhft.chronicle.hash.AbstractData;
import org.jspecify.annotations.Nullable;

/** A group of blocks of zeros, which in a new file need not be written: they are there. */
final class UntouchedGroup extends AbstractData<byte[]> {
  private final byte[] zeros;
  private final RandomDataInput bytes;

  UntouchedGroup(int size) {
    zeros = new byte[size];
    bytes = BytesStore.wrap(zeros);
  }

  @Override
  public RandomDataInput bytes() {
    return bytes;
  }

  @Override
  public long offset() {
    return 0;
  }

  @Override
  public long size() {
    return zeros.length;
  }

  @Override
  public byte[] get() {
    return zeros;
  }

  @Override
  public byte[] getUsing(byte @Nullable [] using) {
    return zeros;
  }

  @Override
  public void writeTo(RandomDataOutput target, long targetOffset) {
    // Nothing: see the class comment.
  }
}
