package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.ClusteringKey;
import io.varve.storage.Fragment;
import io.varve.storage.Order;
import io.varve.storage.PartitionReader;
import io.varve.storage.ReadStats;
import io.varve.storage.RowCursor;
import io.varve.storage.Scan;
import io.varve.storage.Seeded;
import io.varve.storage.SensorSummary;
import io.varve.storage.TimeRange;
import io.varve.storage.UtcDay;
import io.varve.storage.rows.RowPack;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TimeZone;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.io.TempDir;

/**
 * One history told in many ways: in files of other sizes, with few files open, in other records and
 * orders of arrival, with restarts, kills and days rewritten in between, in other time zones. Every
 * answer must be the same, byte for byte.
 */
class MetamorphicProperties {
  private static final int RECORDS = 400;
  private static final int RECORDS_A_DAY = 150;

  /** A row on its way into the store. */
  private record Arrival(byte[] id, int shard, long timestamp, long sequence, long valueBits) {
    List<Object> key() {
      return List.of(Arrays.hashCode(id), id.length, shard, timestamp, sequence);
    }
  }

  /** How the history is told; 0 for "never". */
  private record Telling(
      SegmentFiles.Sizes sizes,
      int maxOpenFiles,
      int rowsInARecord,
      int reopenEvery,
      int killEvery,
      int compactEvery,
      String zone) {
    static Telling random(RandomGenerator random) {
      int least = 1 + random.nextInt(40);
      String[] zones = {"UTC", "Asia/Kolkata", "America/St_Johns", "Pacific/Apia"};
      return new Telling(
          new SegmentFiles.Sizes(
              BlockSpace.RESERVED_BLOCKS + 1 + random.nextInt(60),
              least,
              least + random.nextInt(300)),
          1 + random.nextInt(8),
          1 + random.nextInt(random.nextBoolean() ? 3 : 80),
          random.nextBoolean() ? 0 : 20 + random.nextInt(200),
          random.nextBoolean() ? 0 : 40 + random.nextInt(200),
          random.nextBoolean() ? 0 : 20 + random.nextInt(200),
          zones[random.nextInt(zones.length)]);
    }
  }

  @Seeded(runs = 8, fullRuns = 200)
  void tellingDoesNotShowInTheAnswers(RandomGenerator random, @TempDir Path folder)
      throws IOException {
    List<Arrival> history = history(random.nextInt());
    long questions = random.nextLong();
    Telling plain =
        new Telling(SegmentFiles.Sizes.USUAL, 64, 5, 0, 0, 0, TimeZone.getDefault().getID());
    byte[] expected = answers(folder.resolve("plain"), history, plain, questions);
    for (int i = 0; i < 3; i++) {
      Telling telling = Telling.random(random);
      List<Arrival> arrivals = i == 0 ? history : reordered(history, random);
      assertThat(answers(folder.resolve("" + i), arrivals, telling, questions))
          .as("%s, order %d", telling, i)
          .isEqualTo(expected);
    }
  }

  private static List<Arrival> history(int seed) {
    RecordStream stream = new RecordStream(seed, 6, RECORDS_A_DAY);
    List<Arrival> rows = new ArrayList<>();
    for (long offset = 0; offset < RECORDS; offset++) {
      RowPack.read(
          stream.at(offset),
          (bytes, at, length, shard, timestamp, sequence, valueBits) ->
              rows.add(
                  new Arrival(
                      Arrays.copyOfRange(bytes, at, at + length),
                      shard,
                      timestamp,
                      sequence,
                      valueBits)));
    }
    return rows;
  }

  /** Another order of arrival, in which the versions of each key still follow one another. */
  private static List<Arrival> reordered(List<Arrival> history, RandomGenerator random) {
    List<Arrival> order = new ArrayList<>(history);
    switch (random.nextInt(3)) {
      case 0 -> order.sort(Comparator.comparingLong(Arrival::timestamp));
      case 1 -> order.sort(Comparator.comparingLong(Arrival::timestamp).reversed());
      default -> Collections.shuffle(order, new Random(random.nextLong()));
    }
    Map<List<Object>, Deque<Arrival>> versions = new HashMap<>();
    history.forEach(row -> versions.computeIfAbsent(row.key(), k -> new ArrayDeque<>()).add(row));
    order.replaceAll(row -> versions.getOrDefault(row.key(), new ArrayDeque<>()).removeFirst());
    return order;
  }

  private static byte[] answers(Path folder, List<Arrival> rows, Telling telling, long questions)
      throws IOException {
    TimeZone zone = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone(telling.zone));
    StoreSettings plain = DrivenStore.settings();
    StoreSettings settings =
        new StoreSettings(
            plain.topicPartitions(),
            plain.retentionMicros(),
            telling.maxOpenFiles,
            plain.closeAfter());
    try (DrivenStore driven =
        new DrivenStore(folder.resolve("0"), new Log(), settings, telling.sizes)) {
      tell(folder, driven, rows, telling);
      return answers(driven.reader(), questions);
    } finally {
      TimeZone.setDefault(zone);
    }
  }

  private static void tell(Path folder, DrivenStore driven, List<Arrival> rows, Telling telling) {
    RowPack.Writer writer = new RowPack.Writer();
    int records = 0;
    int kills = 0;
    for (int i = 0; i < rows.size(); i++) {
      Arrival row = rows.get(i);
      writer.add(row.id, 0, row.id.length, row.shard, row.timestamp, row.sequence, row.valueBits);
      if (writer.rows() < telling.rowsInARecord && i < rows.size() - 1) {
        continue;
      }
      driven.append(writer.toBytes());
      writer.clear();
      records++;
      if (telling.compactEvery > 0 && records % telling.compactEvery == 0) {
        driven.compact();
      }
      if (telling.reopenEvery > 0 && records % telling.reopenEvery == 0) {
        driven.reopen();
      }
      if (telling.killEvery > 0 && records % telling.killEvery == 0 && kills < 5) {
        driven.killAndReopen(folder.resolve("" + ++kills));
      }
    }
  }

  /** Asks the same questions of every store and writes down what it says. */
  private static byte[] answers(PartitionReader store, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeLong(store.totals().stored());
    for (SensorSummary sensor : store.sensors(new byte[0], Optional.empty(), 100)) {
      out.writeUTF(sensor.toString());
      for (int i = 0; i < 20; i++) {
        long from = RecordStream.JUNE - UtcDay.MICROS + random.nextLong(4 * UtcDay.MICROS);
        TimeRange range =
            i == 0 ? TimeRange.ALL : new TimeRange(from, from + random.nextLong(UtcDay.MICROS));
        Order order = random.nextBoolean() ? Order.NEWEST_FIRST : Order.OLDEST_FIRST;
        int limit = i == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(200);
        Optional<ClusteringKey> after =
            random.nextInt(3) > 0
                ? Optional.empty()
                : Optional.of(new ClusteringKey(from + random.nextLong(UtcDay.MICROS), 0));
        List<Fragment> fragments = new ArrayList<>(store.fragments(sensor.sensor(), range));
        fragments.sort(Comparator.comparingInt(Fragment::day).thenComparingInt(Fragment::shard));
        for (Fragment fragment : fragments) {
          out.writeUTF(fragment.toString());
          Scan scan = new Scan(range, order, after, limit);
          try (RowCursor cursor = store.read(sensor.sensor(), fragment, scan, new ReadStats())) {
            write(cursor, limit, out);
          }
        }
      }
    }
    return bytes.toByteArray();
  }

  private static void write(RowCursor cursor, int limit, DataOutputStream out) throws IOException {
    for (int row = 0; row < limit && cursor.next(); row++) {
      out.writeLong(cursor.timestampMicros());
      out.writeLong(cursor.sequence());
      out.writeLong(Double.doubleToRawLongBits(cursor.value()));
    }
  }
}
