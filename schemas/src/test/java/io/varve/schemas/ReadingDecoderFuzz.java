package io.varve.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * C145: damaged copies of good records, of every form, are decoded or refused: without an
 * exception, without hanging, and without big allocations. 300 000 records in the gate, 10 million
 * with {@code -Dvarve.full=true}.
 */
class ReadingDecoderFuzz {
  private static final int RECORDS = Boolean.getBoolean("varve.full") ? 10_000_000 : 300_000;
  private static final long SEED = Long.getLong("varve.seed", 145);
  private static final long MAX_ALLOCATION = 8 << 20;
  private static final long MAX_NANOS = 1_000_000_000L;

  private static final String RICH =
      "{'type':'record','name':'f.Rich','fields':["
          + "{'name':'next','type':['null','f.Rich']},"
          + "{'name':'sensor_id','type':['null','string','bytes']},"
          + "{'name':'tags','type':{'type':'map','values':{'type':'array','items':'null'}}},"
          + "{'name':'timestamp','type':['int','long']},"
          + "{'name':'kind','type':{'type':'enum','name':'f.K','symbols':['A','B']}},"
          + "{'name':'value','type':['null','float','double','string']},"
          + "{'name':'hash','type':{'type':'fixed','name':'f.H','size':4}},"
          + "{'name':'flag','type':'boolean'}]}";

  private static final String RICH_BATCH =
      "{'type':'record','name':'f.Batch','fields':["
          + "{'name':'site','type':{'type':'map','values':'null'}},"
          + "{'name':'readings','type':{'type':'array','items':"
          + RICH.replace("f.Rich", "f.Item")
          + "}}]}";

  private final Path folder;

  ReadingDecoderFuzz(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Reads every byte that it is lent, so that a bad range shows. */
  private static final class TouchingSink implements ReadingSink {
    long sum;
    int calls;

    @Override
    public void reading(
        byte[] id,
        int idOffset,
        int idLength,
        boolean hasTimestamp,
        long timestampMicros,
        boolean hasValue,
        double value,
        long sequence) {
      calls++;
      for (int i = 0; i < idLength; i++) {
        sum += id[idOffset + i];
      }
      sum += timestampMicros + sequence + Double.doubleToRawLongBits(value);
    }

    @Override
    public void unusable(Undecodable fault) {
      calls++;
      sum += fault.detail().length();
    }
  }

  private List<byte[]> good() {
    ReadingEncoder encoder = new ReadingEncoder();
    List<byte[]> good = new ArrayList<>();
    good.add(encoder.encode("plant-3/temp", 1_717_200_000_000_000L, 21.5, 7));
    for (int i = 0; i < 20; i++) {
      encoder.add("sensor-" + i, 1_717_200_000_000_000L + i, i * 0.1, i % 3);
    }
    good.add(encoder.takeBatch());
    good.add(
        AvroRecords.record(
            Released.READING_MILLIS, o -> AvroRecords.reading(o, "m", 1_717_200_000_000L, 1, 0)));
    good.add(AvroRecords.record(RICH.replace('\'', '"'), o -> rich(o, 2)));
    good.add(
        AvroRecords.record(
            RICH_BATCH.replace('\'', '"'),
            o -> {
              o.writeMapStart();
              o.setItemCount(1);
              o.startItem();
              o.writeString("a");
              o.writeMapEnd();
              o.writeArrayStart();
              o.setItemCount(3);
              for (int i = 0; i < 3; i++) {
                o.startItem();
                rich(o, i);
              }
              o.writeArrayEnd();
            }));
    for (String json :
        List.of(
            "{\"sensor_id\":\"p/1\",\"timestamp\":1717200000.5,\"value\":-1.5e3,\"sequence\":3}",
            "[{\"sensor_id\":\"é\\ud83c\\udf21\",\"timestamp\":\"2024-06-01T00:00:00Z\","
                + "\"value\":\"NaN\"},{\"x\":[{\"y\":null}],\"value\":17}]",
            "[[],{},null,{\"timestamp\":\"2024-06-01 00:00:00\",\"value\":1e999}]")) {
      good.add(json.getBytes(StandardCharsets.UTF_8));
    }
    good.add(HexFormat.of().parseHex("000000002a0c616263"));
    good.add(HexFormat.of().parseHex("4f626a0104166176726f"));
    return good;
  }

  private static void rich(org.apache.avro.io.BinaryEncoder o, int depth) throws IOException {
    if (depth > 0) {
      o.writeIndex(1);
      rich(o, depth - 1);
    } else {
      o.writeIndex(0);
    }
    o.writeIndex(1);
    o.writeString("rich");
    o.writeMapStart();
    o.setItemCount(1);
    o.startItem();
    o.writeString("k");
    o.writeArrayStart();
    o.setItemCount(2);
    o.writeArrayEnd();
    o.writeMapEnd();
    o.writeIndex(1);
    o.writeLong(1_717_200_000_000_000L);
    o.writeEnum(1);
    o.writeIndex(2);
    o.writeDouble(2.5);
    o.writeFixed(new byte[4]);
    o.writeBoolean(true);
  }

  /** Flips bits, overwrites with telling numbers, cuts, or splices two records. */
  private static byte[] mutate(List<byte[]> good, SplittableRandom random) {
    byte[] record = good.get(random.nextInt(good.size())).clone();
    int changes = random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(8) == 0 ? random.nextInt(record.length) : body(record, random);
      switch (random.nextInt(4)) {
        case 0 -> record[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> record[at] = (byte) random.nextInt(256);
        case 2 ->
            record[at] =
                (byte) new int[] {0, 0xff, 0x80, 0x7f, 1, '"', '[', '9'}[random.nextInt(8)];
        default ->
            Arrays.fill(record, at, Math.min(record.length, at + random.nextInt(12)), (byte) -1);
      }
    }
    return switch (random.nextInt(6)) {
      case 0 -> Arrays.copyOf(record, random.nextInt(record.length + 1));
      case 1 -> Arrays.copyOf(record, record.length + random.nextInt(1, 20));
      case 2 -> splice(record, good.get(random.nextInt(good.size())), random);
      default -> record;
    };
  }

  /** Spares the header mostly, so that what is behind it is reached. */
  private static int body(byte[] record, SplittableRandom random) {
    int start = record.length > Released.HEADER_LENGTH ? Released.HEADER_LENGTH : 0;
    return random.nextInt(start, record.length);
  }

  private static byte[] splice(byte[] one, byte[] other, SplittableRandom random) {
    int head = random.nextInt(one.length + 1);
    int tail = random.nextInt(other.length + 1);
    byte[] spliced = Arrays.copyOf(one, head + tail);
    System.arraycopy(other, other.length - tail, spliced, head, tail);
    return spliced;
  }

  @Test
  void damagedRecordsAreDecodedOrRefused() throws Exception {
    Files.writeString(folder.resolve("rich.avsc"), RICH.replace('\'', '"'));
    Files.writeString(folder.resolve("batch.avsc"), RICH_BATCH.replace('\'', '"'));
    ReadingDecoder decoder = new ReadingDecoder(WriterSchemas.open(folder, () -> 0L));
    List<byte[]> good = good();
    TouchingSink sink = new TouchingSink();
    for (byte[] record : good) {
      decoder.decode(record, sink);
    }
    SplittableRandom random = new SplittableRandom(SEED);
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    Map<Undecodable.Reason, Integer> faults = new EnumMap<>(Undecodable.Reason.class);
    int decoded = 0;
    for (int i = 0; i < RECORDS; i++) {
      byte[] record = mutate(good, random);
      long allocated = threads.getCurrentThreadAllocatedBytes();
      long start = threads.getCurrentThreadCpuTime();
      Optional<Undecodable> fault;
      try {
        fault = decoder.decode(record, sink);
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError(replay(i, record), e);
      }
      if (threads.getCurrentThreadCpuTime() - start > MAX_NANOS
          || threads.getCurrentThreadAllocatedBytes() - allocated > MAX_ALLOCATION) {
        throw new AssertionError("slow or greedy: " + replay(i, record));
      }
      if (fault.isPresent()) {
        faults.merge(fault.get().reason(), 1, Integer::sum);
      } else {
        decoded++;
      }
    }
    assertThat(decoded).as("decoded").isGreaterThan(RECORDS / 20);
    assertThat(sink.calls).as("readings, the sum of whose bytes is %d", sink.sum).isPositive();
    assertThat(faults)
        .containsKeys(
            Undecodable.Reason.TRUNCATED,
            Undecodable.Reason.MALFORMED,
            Undecodable.Reason.MALFORMED_JSON,
            Undecodable.Reason.LIMIT,
            Undecodable.Reason.TRAILING_BYTES,
            Undecodable.Reason.UNKNOWN_FINGERPRINT);
  }

  private static String replay(int i, byte[] record) {
    return "replay with -Dvarve.seed="
        + SEED
        + " i="
        + i
        + " record="
        + HexFormat.of().formatHex(record);
  }
}
