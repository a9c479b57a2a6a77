package io.varve.storage.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import net.openhft.chronicle.hash.VanillaGlobalMutableState;
import net.openhft.chronicle.values.ValueModel;
import org.junit.jupiter.api.Test;

/** The class that is kept here so that no process has to compile it. */
class GeneratedClassTest {
  private static final String NAME = "VanillaGlobalMutableState$$Native";

  @Test
  void isWhatThePinnedChronicleWouldGenerate() throws Exception {
    Method generate =
        Class.forName("net.openhft.chronicle.values.Generators")
            .getDeclaredMethod("generateNativeClass", ValueModel.class, String.class);
    generate.setAccessible(true);
    String wanted =
        (String) generate.invoke(null, ValueModel.acquire(VanillaGlobalMutableState.class), NAME);
    String kept =
        Files.readString(Path.of("src/main/java/net/openhft/chronicle/hash", NAME + ".java"));
    assertThat(tokens(kept)).isEqualTo(tokens(wanted));
  }

  @Test
  void isTheOneThatChronicleUses() {
    Class<?> used = ValueModel.acquire(VanillaGlobalMutableState.class).nativeClass();
    CodeSource source = used.getProtectionDomain().getCodeSource();
    assertThat(source.getLocation())
        .isEqualTo(BlockFile.class.getProtectionDomain().getCodeSource().getLocation());
  }

  /** Drops what a formatter, the class comment and its suppression add. */
  private static String tokens(String source) {
    return source
        .replaceAll("(?s)/\\*\\*.*?\\*/", "")
        .replaceAll("@SuppressWarnings.*", "")
        .replaceAll("(?m)^import .*$", "")
        .replaceAll("\\s+", "");
  }
}
