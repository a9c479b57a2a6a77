package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What users run: the one jar, as it was packaged before this test. */
class PackagedJarIT {
  private static final Path JAR = Path.of("target", "varve.jar");

  @Test
  void holdsNothingThatReportsUsage() throws Exception {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      List<String> names = jar.stream().map(ZipEntry::getName).toList();
      assertThat(names)
          .as("the store's library is in it")
          .anyMatch(name -> name.startsWith("net/openhft/chronicle/map/"));
      assertThat(names).noneMatch(name -> name.contains("net/openhft/chronicle/analytics"));
    }
  }

  @Test
  void holdsTheClassThatEveryStartWouldCompileOtherwise() throws Exception {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(jar.getEntry("net/openhft/chronicle/hash/VanillaGlobalMutableState$$Native.class"))
          .isNotNull();
    }
  }
}
