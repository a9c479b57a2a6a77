package io.varve.query.plan;

import io.varve.storage.ClusteringKey;
import io.varve.storage.Order;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import io.varve.storage.UtcDay;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * An opaque resume position. It is no secret and grants nothing: it only tells a query that is
 * asked again where it had stopped.
 *
 * <p>As text it is base64url without padding of, big-endian:
 *
 * <pre>
 *   rows     0 format (1) | 1 kind (1: rows) | 2 order | 3 from | 11 to | 19 step | 27 now
 *            35 timestamp | 43 sequence | 51 fingerprint | 59 CRC-32C of all before | 63
 *   sensors  0 format (1) | 1 kind (2: sensors) | 2 zeros before the id (0 to 2) | 3 fingerprint
 *            11 zeros, id | CRC-32C of all before
 * </pre>
 *
 * Times are microseconds since 1970. The length is a multiple of three, so that every bit of the
 * text counts.
 */
public sealed interface PageToken {
  /** Longest text of a token that can be right. */
  int MAX_TEXT = 4 * ((11 + 2 + SensorId.MAX_BYTES + 4 + 2) / 3);

  /**
   * Where a walk over rows or buckets resumes.
   *
   * @param range the range as it was resolved for the first page
   * @param order direction of the walk
   * @param stepMicros bucket length; 0 for rows
   * @param nowMicros the instant that relative times were resolved against
   * @param position key of the last row shown, or the start of the last bucket with sequence 0
   * @param fingerprint hash of the parameters as written
   */
  record Rows(
      TimeRange range,
      Order order,
      long stepMicros,
      long nowMicros,
      ClusteringKey position,
      long fingerprint)
      implements PageToken {
    static final int LENGTH = 63;

    @Override
    public String text() {
      ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
      bytes.put(FORMAT).put(KIND_ROWS).put((byte) order.ordinal());
      bytes.putLong(range.fromMicros()).putLong(range.toMicros());
      bytes.putLong(stepMicros).putLong(nowMicros);
      bytes.putLong(position.timestampMicros()).putLong(position.sequence());
      bytes.putLong(fingerprint);
      return seal(bytes);
    }
  }

  /**
   * Where a list of sensors resumes.
   *
   * @param after the last sensor shown
   * @param fingerprint hash of the parameters as written
   */
  record Sensors(SensorId after, long fingerprint) implements PageToken {
    @Override
    public String text() {
      int zeros = (3 - (11 + after.length() + 4) % 3) % 3;
      ByteBuffer bytes = ByteBuffer.allocate(11 + zeros + after.length() + 4);
      bytes.put(FORMAT).put(KIND_SENSORS).put((byte) zeros).putLong(fingerprint);
      bytes.position(11 + zeros).put(after.toBytes());
      return seal(bytes);
    }
  }

  byte FORMAT = 1;
  byte KIND_ROWS = 1;
  byte KIND_SENSORS = 2;

  /** The token as a client gets it. */
  String text();

  private static String seal(ByteBuffer bytes) {
    bytes.putInt(checksum(bytes.array(), bytes.position()));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  /** Reads a token; empty if it is damaged, foreign, of another format, or out of any bound. */
  static Optional<PageToken> parse(String text) {
    if (text.length() > MAX_TEXT || text.length() % 4 != 0) {
      return Optional.empty();
    }
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    if (bytes.length < 15 || text.indexOf('=') >= 0 || bytes[0] != FORMAT) {
      return Optional.empty();
    }
    ByteBuffer body = ByteBuffer.wrap(bytes, 0, bytes.length - 4);
    if (checksum(bytes, bytes.length - 4) != ByteBuffer.wrap(bytes).getInt(bytes.length - 4)) {
      return Optional.empty();
    }
    return switch (bytes[1]) {
      case KIND_ROWS -> rows(body, bytes.length);
      case KIND_SENSORS -> sensors(body, bytes);
      default -> Optional.empty();
    };
  }

  private static Optional<PageToken> rows(ByteBuffer body, int length) {
    if (length != Rows.LENGTH || body.get(2) < 0 || body.get(2) >= Order.values().length) {
      return Optional.empty();
    }
    body.position(3);
    long from = body.getLong();
    long to = body.getLong();
    long step = body.getLong();
    long now = body.getLong();
    ClusteringKey position = new ClusteringKey(body.getLong(), body.getLong());
    boolean inBounds =
        from >= UtcDay.MIN_TIMESTAMP_MICROS
            && from < to
            && to <= UtcDay.END_TIMESTAMP_MICROS
            && isInstant(now)
            && step >= 0
            && step <= MAX_STEP_MICROS
            && position.timestampMicros() > from - Math.max(1, step)
            && position.timestampMicros() < to;
    if (!inBounds) {
      return Optional.empty();
    }
    Order order = Order.values()[body.get(2)];
    return Optional.of(
        new Rows(new TimeRange(from, to), order, step, now, position, body.getLong()));
  }

  /** Longest bucket: 366 days. */
  long MAX_STEP_MICROS = 366 * UtcDay.MICROS;

  private static boolean isInstant(long micros) {
    return micros >= UtcDay.MIN_TIMESTAMP_MICROS && micros < UtcDay.END_TIMESTAMP_MICROS;
  }

  private static Optional<PageToken> sensors(ByteBuffer body, byte[] bytes) {
    int zeros = bytes[2];
    int idLength = body.limit() - 11 - zeros;
    if (zeros < 0
        || zeros > 2
        || idLength < 1
        || SensorId.check(bytes, 11 + zeros, idLength) != null) {
      return Optional.empty();
    }
    for (int i = 11; i < 11 + zeros; i++) {
      if (bytes[i] != 0) {
        return Optional.empty();
      }
    }
    return Optional.of(new Sensors(SensorId.of(bytes, 11 + zeros, idLength), body.getLong(3)));
  }
}
