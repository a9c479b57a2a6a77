package io.varve.load.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * How long the calling thread could have run and had no processor, as Linux counts it: the second
 * number of a thread's {@code schedstat}. A sender that is late and waited long needs a processor
 * of its own; one that did not is too slow itself.
 */
final class ProcessorWait {
  private static final Path SCHEDSTAT = Path.of("/proc/thread-self/schedstat");

  private ProcessorWait() {}

  /** Nanoseconds since the thread began; empty where the system does not say. */
  static OptionalLong nanos() {
    try {
      return parse(Files.readString(SCHEDSTAT, StandardCharsets.US_ASCII));
    } catch (IOException e) {
      return OptionalLong.empty(); // another system, or a kernel that does not count
    }
  }

  static OptionalLong parse(String schedstat) {
    String[] numbers = schedstat.strip().split(" ", -1);
    return numbers.length == 3 && numbers[1].matches("[0-9]{1,18}")
        ? OptionalLong.of(Long.parseLong(numbers[1]))
        : OptionalLong.empty();
  }
}
