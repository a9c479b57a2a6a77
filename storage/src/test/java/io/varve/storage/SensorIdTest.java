package io.varve.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.storage.SensorId.Fault;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SensorIdTest {
  /** C117, C119, C121, C209, C211: names that other systems cannot keep apart or keep at all. */
  @Test
  void awkwardNamesAreAllTakenAsTheyAreAndAllDistinct() {
    List<String> names =
        List.of(
            "server.event",
            "server.event.abc",
            ".",
            "..",
            "...",
            "a/../b",
            "b",
            "CON",
            "con",
            "x",
            "x.",
            "x ",
            " x",
            " ",
            "/",
            "plant/7/line a",
            "plant%2F7%2Fline a",
            "/nic/%7B39C3%7D/load/1",
            "<img src=x onerror=alert(1)>",
            "=1+1",
            "\u00a0");
    assertThat(new HashSet<>(names.stream().map(SensorId::of).toList())).hasSameSizeAs(names);
    assertThat(names).allSatisfy(name -> assertThat(SensorId.of(name)).hasToString(name));
  }

  /** C123: the limit is in UTF-8 bytes, not in characters. */
  @Test
  void lengthIsLimitedInBytes() {
    assertThat(SensorId.of("x".repeat(256)).length()).isEqualTo(256);
    assertThat(SensorId.of("🌡".repeat(64)).length()).isEqualTo(256);
    assertThat(fault("x".repeat(257))).isEqualTo(Fault.TOO_LONG);
    assertThat(fault("🌡".repeat(64) + "x")).isEqualTo(Fault.TOO_LONG);
    assertThat(fault("é".repeat(256))).isEqualTo(Fault.TOO_LONG);
    assertThat(fault("")).isEqualTo(Fault.EMPTY);
  }

  /** C125: identity is that of the bytes, whatever the locale. */
  @Test
  void unicodeFormsStayApart() {
    List<String> forms =
        List.of("é", "e\u0301", "İ", "i", "I", "ı", "\u200fx", "x", "🌡", "ß", "SS");
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("tr-TR"));
      assertThat(new HashSet<>(forms.stream().map(SensorId::of).toList())).hasSameSizeAs(forms);
      assertThat(forms).allSatisfy(form -> assertThat(SensorId.of(form)).hasToString(form));
    } finally {
      Locale.setDefault(before);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0x00, 0x09, 0x0a, 0x0d, 0x1f, 0x7f, 0x80, 0x85, 0x9f})
  void controlCharactersAreFaults(int codePoint) {
    assertThat(fault("a" + Character.toString(codePoint) + "b")).isEqualTo(Fault.CONTROL_CHARACTER);
  }

  @ParameterizedTest
  @ValueSource(ints = {0x20, 0x7e, 0xa0, 0xff, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10ffff})
  void neighboursOfTheLimitsAreTaken(int codePoint) {
    assertThat(fault(Character.toString(codePoint))).isNull();
  }

  @Seeded
  void wellFormedIsWhatTheDecoderOfTheJdkAccepts(RandomGenerator random) {
    int[] leads = {0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff};
    int[] trails = {0x41, 0x7e, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc2};
    for (int i = 0; i < 5_000; i++) {
      byte[] bytes = new byte[1 + random.nextInt(6)];
      for (int k = 0; k < bytes.length; k++) {
        boolean lead = random.nextInt(3) == 0;
        bytes[k] = (byte) (lead ? leads[random.nextInt(leads.length)] : trails[random.nextInt(9)]);
      }
      boolean faulty = SensorId.check(bytes, 0, bytes.length) == Fault.NOT_UTF8;
      boolean control = SensorId.check(bytes, 0, bytes.length) == Fault.CONTROL_CHARACTER;
      assertThat(faulty || control).as("%s", bytes).isEqualTo(control || !decodes(bytes));
    }
  }

  @Test
  void textThatHasNoUtf8FormIsRefusedRatherThanReplaced() {
    assertThatThrownBy(() -> SensorId.of("a\ud800"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("NOT_UTF8");
    assertThatThrownBy(() -> SensorId.of("\udc00a")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void orderIsThatOfCodePointsAndNotOfJavaChars() {
    List<SensorId> ids =
        new ArrayList<>(
            List.of(
                SensorId.of("🌡"),
                SensorId.of("\uff5e"),
                SensorId.of("é"),
                SensorId.of("z"),
                SensorId.of("aa"),
                SensorId.of("a"),
                SensorId.of("Z")));
    Collections.sort(ids);
    assertThat(ids.stream().map(SensorId::toString))
        .containsExactly("Z", "a", "aa", "z", "é", "\uff5e", "🌡");
  }

  @Test
  void idOwnsItsBytes() {
    byte[] bytes = "xplant".getBytes(UTF_8);
    SensorId id = SensorId.of(bytes, 1, 5);
    bytes[1] = '!';
    id.toBytes()[0] = '!';
    assertThat(id).hasToString("plant").isEqualTo(SensorId.of("plant"));
    assertThat(id.matches("xplanty".getBytes(UTF_8), 1, 5)).isTrue();
    assertThat(id.matches("xplanty".getBytes(UTF_8), 1, 6)).isFalse();
    byte[] target = new byte[7];
    id.copyTo(target, 1);
    assertThat(new String(target, 1, 5, UTF_8)).isEqualTo("plant");
  }

  @Test
  void prefixIsOfBytes() {
    SensorId id = SensorId.of("é/1");
    assertThat(id.startsWith(new byte[0])).isTrue();
    assertThat(id.startsWith(new byte[] {(byte) 0xc3})).isTrue();
    assertThat(id.startsWith("é/1".getBytes(UTF_8))).isTrue();
    assertThat(id.startsWith("é/12".getBytes(UTF_8))).isFalse();
  }

  private static @Nullable Fault fault(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return SensorId.check(bytes, 0, bytes.length);
  }

  private static boolean decodes(byte[] bytes) {
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException malformed) {
      return false;
    }
  }
}
