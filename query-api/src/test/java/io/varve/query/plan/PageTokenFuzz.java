package io.varve.query.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.ClusteringKey;
import io.varve.storage.Order;
import io.varve.storage.Seeded;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import java.util.Base64;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Page tokens: what was written reads back, and nothing else is believed (C059). */
class PageTokenFuzz {
  private static final PageToken.Rows ROWS =
      new PageToken.Rows(
          new TimeRange(1_000, 9_000_000),
          Order.NEWEST_FIRST,
          0,
          5_000_000,
          new ClusteringKey(8_000_000, -3),
          0x0123456789abcdefL);

  @Test
  void tokensReadBack() {
    assertThat(PageToken.parse(ROWS.text())).contains(ROWS);
    for (int length = 1; length <= SensorId.MAX_BYTES; length++) {
      PageToken.Sensors sensors = new PageToken.Sensors(SensorId.of("x".repeat(length)), length);
      assertThat(PageToken.parse(sensors.text())).contains(sensors);
      assertThat(sensors.text()).hasSizeLessThanOrEqualTo(PageToken.MAX_TEXT);
    }
  }

  @Test
  void textIsPinned() {
    assertThat(ROWS.text())
        .isEqualTo(
            "AQEAAAAAAAAAA-gAAAAAAIlUQAAAAAAAAAAAAAAAAABMS0AAAAAAAHoSAP_________9ASNFZ4mrze_vTVTC");
  }

  @Test
  void everyChangedCharacterIsNoticed() {
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (PageToken token : new PageToken[] {ROWS, new PageToken.Sensors(SensorId.of("a/b"), 7)}) {
      String text = token.text();
      for (int i = 0; i < text.length(); i++) {
        for (char c : alphabet.toCharArray()) {
          if (c != text.charAt(i)) {
            String changed = text.substring(0, i) + c + text.substring(i + 1);
            assertThat(PageToken.parse(changed)).as(changed).isEmpty();
          }
        }
        assertThat(PageToken.parse(text.substring(0, i))).isEmpty();
      }
    }
  }

  @Test
  void foreignTextsAreRefused() {
    for (String text :
        new String[] {
          "", "=", "====", "AAAA", "not a token", "é", "AQEA\n", ROWS.text() + "AAAA"
        }) {
      assertThat(PageToken.parse(text)).as(text).isEmpty();
    }
  }

  @Test
  @Timeout(10)
  void megabyteOfTokenIsRefusedAtOnce() {
    String text = "A".repeat(1 << 20);
    assertThat(PageToken.parse(text)).isEmpty();
  }

  @Seeded
  void randomBytesAreRefused(RandomGenerator random) {
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[3 * random.nextInt(100)];
      random.nextBytes(bytes);
      if (bytes.length > 2) {
        bytes[0] = 1;
        bytes[1] = (byte) (1 + random.nextInt(2));
      }
      String text = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
      assertThat(PageToken.parse(text)).as(text).isEmpty();
    }
  }

  /** Fields out of bounds are refused even with a right checksum. */
  @Test
  void fieldsOutOfBoundsAreRefused() {
    TimeRange range = ROWS.range();
    ClusteringKey inside = ROWS.position();
    assertThat(parse(range, 0, 5, new ClusteringKey(0, 0))).isFalse();
    assertThat(parse(range, 0, 5, new ClusteringKey(9_000_000, 0))).isFalse();
    assertThat(parse(range, -1, 5, inside)).isFalse();
    assertThat(parse(range, PageToken.MAX_STEP_MICROS + 1, 5, inside)).isFalse();
    assertThat(parse(range, 0, Long.MAX_VALUE, inside)).isFalse();
    assertThat(parse(new TimeRange(5, 5), 0, 5, new ClusteringKey(5, 0))).isFalse();
    assertThat(parse(new TimeRange(Long.MIN_VALUE, 5), 0, 5, new ClusteringKey(1, 0))).isFalse();
    assertThat(parse(new TimeRange(0, Long.MAX_VALUE), 0, 5, new ClusteringKey(1, 0))).isFalse();
    assertThat(parse(range, 60_000, 5, new ClusteringKey(0, 0))).isTrue();
  }

  private static boolean parse(TimeRange range, long step, long now, ClusteringKey position) {
    return PageToken.parse(
            new PageToken.Rows(range, Order.OLDEST_FIRST, step, now, position, 1).text())
        .isPresent();
  }
}
