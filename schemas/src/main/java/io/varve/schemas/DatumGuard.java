package io.varve.schemas;

import io.varve.schemas.Undecodable.Reason;
import java.util.Arrays;
import org.apache.avro.Schema;

/**
 * Measures one datum of a writer's schema before Avro's decoder sees it: every length within the
 * record, every index within its list, nesting and work bounded.
 *
 * <p>Why: a few bytes can claim collections of millions of elements that take no bytes, lengths of
 * gigabytes, or recursion without end, and Avro follows such claims. Here no claim is believed that
 * the record's own size does not back: its collections have at most as many elements as it has
 * bytes.
 */
@SuppressWarnings("ReferenceEquality") // which array of the schema, not what it is like
final class DatumGuard {
  private static final int MAX_DEPTH = 64;
  private static final int BASE_STEPS = 4096;
  private static final int STEPS_PER_BYTE = 64;
  private static final Schema NOTHING = Schema.create(Schema.Type.NULL);

  private final AvroBytes in;
  private long steps;
  private long elements;
  private Schema members = NOTHING;
  private int memberCount;
  private int[] memberBounds = new int[16];

  /**
   * Makes a guard over a reader of bytes.
   *
   * @param in is moved by {@link #measure} to the end of the datum, or to its first fault
   */
  DatumGuard(AvroBytes in) {
    this.in = in;
  }

  /**
   * Walks over one datum; the reader then tells whether it was sound and where it ended.
   *
   * @param datum the schema of the whole
   * @param members the array in it whose elements are wanted, or the datum itself
   * @return how many members are whole; {@link #memberStart} and {@link #memberEnd} bound them
   */
  int measure(Schema datum, Schema members) {
    elements = in.remaining();
    steps = BASE_STEPS + (long) STEPS_PER_BYTE * in.remaining();
    this.members = members == datum ? NOTHING : members;
    memberCount = 0;
    int start = in.at();
    walk(datum, 0);
    if (members == datum && in.sound()) {
      addMember(start);
    }
    return memberCount;
  }

  /** Offset of the first byte of a member. */
  int memberStart(int member) {
    return memberBounds[2 * member];
  }

  /** Offset past the last byte of a member. */
  int memberEnd(int member) {
    return memberBounds[2 * member + 1];
  }

  private void addMember(int start) {
    if (memberBounds.length < 2 * memberCount + 2) {
      memberBounds = Arrays.copyOf(memberBounds, 2 * memberBounds.length);
    }
    memberBounds[2 * memberCount] = start;
    memberBounds[2 * memberCount + 1] = in.at();
    memberCount++;
  }

  private void walk(Schema schema, int depth) {
    if (depth > MAX_DEPTH || --steps < 0) {
      in.fail(Reason.LIMIT, in.at());
      return;
    }
    switch (schema.getType()) {
      case NULL -> {
        // takes no bytes
      }
      case BOOLEAN -> in.skip(1);
      case INT -> walkInt();
      case LONG -> in.readLong();
      case FLOAT -> in.skip(Float.BYTES);
      case DOUBLE -> in.skip(Double.BYTES);
      case STRING, BYTES -> in.skipBytes();
      case FIXED -> in.skip(schema.getFixedSize());
      case ENUM -> walkIndex(schema.getEnumSymbols().size());
      case UNION -> {
        int branch = walkIndex(schema.getTypes().size());
        if (in.sound()) {
          walk(schema.getTypes().get(branch), depth + 1);
        }
      }
      case RECORD -> {
        for (Schema.Field field : schema.getFields()) {
          if (!in.sound()) {
            return;
          }
          walk(field.schema(), depth + 1);
        }
      }
      case ARRAY, MAP -> walkBlocks(schema, depth);
    }
  }

  private void walkInt() {
    int start = in.at();
    long value = in.readLong();
    if (value != (int) value) {
      in.fail(Reason.MALFORMED, start);
    }
  }

  private int walkIndex(int count) {
    int start = in.at();
    long index = in.readLong();
    if (index < 0 || index >= count) {
      in.fail(Reason.MALFORMED, start);
      return 0;
    }
    return (int) index;
  }

  private void walkBlocks(Schema schema, int depth) {
    boolean keyed = schema.getType() == Schema.Type.MAP;
    Schema item = keyed ? schema.getValueType() : schema.getElementType();
    while (in.sound()) {
      int blockStart = in.at();
      long items = in.readLong();
      if (items == 0) {
        return;
      }
      long blockEnd = -1;
      if (items < 0) {
        items = -items;
        long size = in.readLong();
        if (items < 0 || size < 0) {
          in.fail(Reason.MALFORMED, blockStart);
          return;
        }
        blockEnd = in.at() + size;
      }
      for (; items > 0 && in.sound(); items--) {
        if (--elements < 0) {
          in.fail(Reason.LIMIT, blockStart);
          return;
        }
        if (keyed) {
          in.skipBytes();
        }
        int start = in.at();
        walk(item, depth + 1);
        if (schema == members && in.sound()) {
          addMember(start);
        }
      }
      if (blockEnd >= 0 && in.sound() && blockEnd != in.at()) {
        in.fail(Reason.MALFORMED, blockStart);
      }
    }
  }
}
