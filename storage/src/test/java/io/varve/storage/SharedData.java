package io.varve.storage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The folder of data sets beside a checkout, {@code ../shared/data} seen from the project's root,
 * or what {@code -Dvarve.data=DIR} names. A clone alone has none; tests that need it are skipped.
 */
public final class SharedData {
  private SharedData() {}

  /** Finds a file or folder in it. */
  public static Optional<Path> find(String name) {
    String named = System.getProperty("varve.data", "");
    if (!named.isEmpty()) {
      return Optional.of(Path.of(named, name)).filter(Files::exists);
    }
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null) {
      Path candidate = folder.resolve("shared").resolve("data").resolve(name);
      if (Files.exists(candidate)) {
        return Optional.of(candidate);
      }
      folder = folder.getParent();
    }
    return Optional.empty();
  }
}
