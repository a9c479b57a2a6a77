package io.varve.storage.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The identity of the machine's current boot. While it is the same, every page that any process
 * wrote is still there, killed or not; after another one, pages not forced may be lost.
 */
final class BootId {
  private static final Path LINUX = Path.of("/proc/sys/kernel/random/boot_id");

  private BootId() {}

  /** Reads it; where the system does not tell, each call is a boot of its own, the safe guess. */
  static String read() {
    try {
      return Files.readString(LINUX).trim();
    } catch (IOException e) {
      return "unknown-" + UUID.randomUUID();
    }
  }
}
