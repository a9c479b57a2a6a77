package io.varve.server.proof;

import io.varve.storage.ClusteringKey;
import io.varve.storage.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * One sensor's random life: rows in order, late, again and corrected, and changes of its shards.
 * All versions of a key go through one gateway, so through one topic partition, in order.
 */
final class HistorySchedule {
  /** How the sensor comes by its shards. */
  enum Kind {
    /** Days long past, reshard after reshard, each from where no rows are yet. */
    PAST,
    /** Rows of now; plans by hand that begin when they may. */
    LIVE,
    /** Rows of now in bursts; the node decides. */
    AUTOMATIC
  }

  private static final long SECOND = 1_000_000;
  private static final long HOUR = 3_600 * SECOND;
  private static final int[] COUNTS = {1, 2, 4, 8, 16, 32, 64};

  /** A device may be ahead by more than the lead; two plans do not come in so short a time. */
  private static final long AHEAD_AT_MOST = 8 * SECOND;

  static final long LIVE_RESHARD_EVERY = 10 * SECOND;

  final Kind kind;
  final History history;
  private final Random random;
  private final List<ClusteringKey> recent = new ArrayList<>();

  /** Past: where the next rows begin. Live: until when rows were sent. */
  private long cursor;

  private final long begun = HistoryReader.nowMicros();
  private long nextReshard;
  private int shards = 1;
  private int reshards;

  HistorySchedule(Kind kind, int number, long seed) {
    this.kind = kind;
    this.history =
        new History(String.format(Locale.ROOT, "%s %d/\"x\"", kind.name().charAt(0), number));
    this.random = new Random(seed * 1_000 + number);
    this.cursor =
        kind == Kind.PAST
            ? 1_717_200_000_000_000L + number * 40 * 24 * HOUR
            : HistoryReader.nowMicros();
    this.nextReshard = cursor + (long) (random.nextDouble() * LIVE_RESHARD_EVERY);
  }

  /** Sends what is due now. */
  void send(Feed feed) {
    if (kind == Kind.PAST) {
      sendPast(feed);
      return;
    }
    long now = HistoryReader.nowMicros();
    long aSecond = kind == Kind.LIVE ? 40 : isBurst(now) ? 1_200 : 5;
    long rows = Math.min(6_000, (now - cursor) * aSecond / SECOND);
    long step = rows == 0 ? 0 : (now - cursor) / rows;
    for (long i = 1; i <= rows; i++) {
      put(feed, moved(cursor + i * step), random.nextInt(20) == 0 ? 1 : 0);
    }
    cursor = rows == 0 ? cursor : cursor + rows * step;
  }

  /** Half a minute of each minute, from the beginning on. */
  private boolean isBurst(long now) {
    return (now - begun) / SECOND % 60 < 30;
  }

  /** Some minutes to some hours on; rows come in no order, and some for earlier days. */
  private void sendPast(Feed feed) {
    long span = (long) ((0.1 + random.nextDouble() * 9) * HOUR);
    int rows = 30 + random.nextInt(60);
    for (int i = 0; i < rows; i++) {
      put(feed, moved(cursor + (long) (random.nextDouble() * span)), random.nextInt(2));
    }
    cursor += span;
  }

  /** Late now and then, of a device whose clock is ahead now and then. */
  private long moved(long timestampMicros) {
    return switch (random.nextInt(40)) {
      case 0, 1 -> timestampMicros - (long) (random.nextDouble() * 30 * HOUR);
      case 2, 3 -> timestampMicros - (long) (random.nextDouble() * 60 * SECOND);
      case 4 ->
          kind == Kind.PAST
              ? timestampMicros
              : timestampMicros + (long) (random.nextDouble() * AHEAD_AT_MOST);
      default -> timestampMicros;
    };
  }

  private void put(Feed feed, long timestampMicros, long sequence) {
    send(feed, history.next(timestampMicros, sequence));
    recent.add(new ClusteringKey(timestampMicros, sequence));
    if (recent.size() > 500) {
      recent.subList(0, 250).clear();
    }
    ClusteringKey old = recent.get(random.nextInt(recent.size()));
    switch (random.nextInt(12)) {
      case 0 -> send(feed, history.last(old)); // sent again
      case 1 -> send(feed, history.next(old.timestampMicros(), old.sequence())); // corrected
      default -> {}
    }
  }

  private void send(Feed feed, Row row) {
    feed.reading(history.sensor, row.timestampMicros(), row.value(), row.sequence());
  }

  /**
   * Changes the number of shards if that is due; all that was sent has been stored.
   *
   * @return false if the node would not now
   */
  boolean reshard(NodeClient node) {
    long now = HistoryReader.nowMicros();
    if (kind == Kind.AUTOMATIC || (kind == Kind.LIVE && now < nextReshard)) {
      return true;
    }
    int wanted = COUNTS[random.nextInt(COUNTS.length)];
    if (wanted == shards) {
      wanted = shards == 1 ? 8 : 1;
    }
    NodeClient.Answer answer =
        node.post(
            "/v1/shards?sensor_id="
                + NodeClient.encode(history.sensor)
                + "&shards="
                + wanted
                + (kind == Kind.PAST ? "&from=" + cursor : ""),
            "");
    if (answer.status() == 503) {
      return false;
    }
    if (answer.status() != 200 || !answer.json().path("written").asBoolean()) {
      throw new AssertionError(history.sensor + ": " + answer.status() + " " + answer.body());
    }
    shards = wanted;
    reshards++;
    nextReshard = now + LIVE_RESHARD_EVERY + (long) (random.nextDouble() * 4 * SECOND);
    return true;
  }

  /** Changes of the number of shards that this schedule asked for. */
  int reshards() {
    return reshards;
  }
}
