package io.varve.load.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** The machine that the load generator runs on, without its name. */
final class Machine {
  private static final Path CPU = Path.of("/proc/cpuinfo");

  private Machine() {}

  static Map<String, Object> facts() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("processor", processor());
    facts.put("processors", Runtime.getRuntime().availableProcessors());
    facts.put("max_heap_bytes", Runtime.getRuntime().maxMemory());
    facts.put(
        "system",
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"));
    facts.put(
        "java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    return facts;
  }

  private static String processor() {
    try (Stream<String> lines = Files.lines(CPU)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown"; // not Linux
    }
  }
}
