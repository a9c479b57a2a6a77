package io.varve.server;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** A node on its own in-process broker. */
class InProcessBrokerIT extends EndToEndSuite {
  InProcessBrokerIT(@TempDir Path folder) {
    super(folder);
  }

  @Override
  Optional<String> brokers() {
    return Optional.empty();
  }

  @Override
  String deadLetters() {
    return "readings.dlq";
  }
}
