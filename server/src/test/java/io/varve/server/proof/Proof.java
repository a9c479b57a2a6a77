package io.varve.server.proof;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;

/** Where and how large a proof runs. */
final class Proof {
  /** Whether the long proofs run in full size. */
  static final boolean FULL = Boolean.getBoolean("varve.full");

  private static final Random PORTS = new Random();

  private Proof() {}

  /**
   * Picks a free loopback port below the range from which outgoing connections take theirs, so that
   * it is still free when a killed node comes back to it.
   */
  static int freePort() throws IOException {
    for (int attempt = 0; attempt < 200; attempt++) {
      int port = 15_000 + PORTS.nextInt(16_000);
      try (ServerSocket probe = new ServerSocket()) {
        probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return port;
      } catch (java.net.BindException taken) {
        continue;
      }
    }
    throw new IOException("no free port between 15000 and 31000");
  }

  /** Finds a folder of the shared data set by walking up from the module. */
  static Optional<Path> sharedData(String name) {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path found = at.resolve("shared").resolve("data").resolve(name);
      if (Files.isDirectory(found)) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  /** Tells whether a command of this machine is there and ends well. */
  static boolean runs(String... words) throws InterruptedException {
    try {
      return new ProcessBuilder(words)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException missing) {
      return false;
    }
  }

  /** Sums the lengths of all files below a folder. */
  static long bytesBelow(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(f -> f.toFile().length()).sum();
    }
  }

  /** Mixes three numbers into one, the same on every run. */
  static long mix(long seed, long a, long b) {
    long z = seed + a * 0x9E3779B97F4A7C15L + b * 0xC2B2AE3D27D4EB4FL;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
