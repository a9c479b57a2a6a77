package io.varve.server.proof;

import static org.awaitility.Awaitility.await;

import io.varve.storage.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One node and one producer for all cases that need no node of their own, which name their sensors
 * apart.
 *
 * <p>It runs in a zone and a language that break what depends on either: Tokyo's midnight is 15:00
 * UTC, and Turkish has a dotless i.
 */
final class SharedNode implements AutoCloseable {
  final NodeProcess node;
  final NodeClient client;
  final Feed feed;
  private final Path folder;

  private SharedNode() throws IOException {
    folder = Files.createTempDirectory("varve-cases");
    node =
        NodeProcess.Setup.in(folder.resolve("data"))
            .withJvmFlags("-Duser.timezone=Asia/Tokyo", "-Duser.language=tr", "-Duser.country=TR")
            .start();
    client = node.client;
    feed = new Feed(node.setup.bootstrap());
  }

  /** Folder that holds the data folder and, beside it, nothing but the log. */
  Path folder() {
    return folder;
  }

  /** Sends rows of one sensor and waits until they are shown, newest first. */
  List<Row> store(String sensor, List<Row> rows) {
    rows.forEach(r -> feed.reading(sensor, r.timestampMicros(), r.value(), r.sequence()));
    feed.flush();
    return awaitRows(sensor, rows.size());
  }

  /** Waits until a sensor shows so many rows and returns them, newest first. */
  List<Row> awaitRows(String sensor, int count) {
    return await("rows of " + sensor)
        .atMost(Duration.ofSeconds(20))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> client.allRows(sensor, "desc", 10_000), rows -> rows.size() >= count);
  }

  @Override
  public void close() throws IOException {
    feed.close();
    node.close();
    try (var files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
    }
  }

  /** Hands the shared node to test methods that ask for it. */
  static final class Extension implements ParameterResolver {
    private static @Nullable RuntimeException failure;

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
      return parameter.getParameter().getType() == SharedNode.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
      if (failure != null) {
        throw failure; // once is enough to know
      }
      return test.getRoot()
          .getStore(ExtensionContext.Namespace.create(SharedNode.class))
          .computeIfAbsent(
              SharedNode.class,
              key -> {
                try {
                  return new SharedNode();
                } catch (IOException | AssertionError | RuntimeException e) {
                  failure = new IllegalStateException("the shared node did not start", e);
                  throw failure;
                }
              });
    }
  }
}
