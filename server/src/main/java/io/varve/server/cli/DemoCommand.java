package io.varve.server.cli;

import io.varve.load.DemoFleet;
import io.varve.load.FleetSettings;
import io.varve.schemas.Durations;
import io.varve.schemas.TimeText;
import io.varve.server.client.JsonTree;
import io.varve.server.client.NodeClient;
import io.varve.server.client.NodeRequestException;
import io.varve.server.config.NodeSettings;
import io.varve.server.net.Ports;
import io.varve.server.node.Pulse;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code varve demo}: a node, a small simulated fleet, and a question with its real answer. */
@Command(
    name = "demo",
    sortOptions = false,
    description = "Starts a node with a small simulated fleet. Takes all options of up.")
final class DemoCommand implements Callable<Integer> {
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration FIRST_ANSWER = Duration.ofSeconds(60);
  private static final Duration DRAIN = Duration.ofSeconds(10);
  private static final Duration UNTIL_SIGNAL = Duration.ofDays(36_500);

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "Stop after this long, such as 60s. Default: on Ctrl-C")
  private Optional<String> duration = Optional.empty();

  @Option(
      names = "--sensors",
      paramLabel = "N",
      defaultValue = "" + FleetSettings.DEFAULT_SENSORS,
      description = "Sensors of the fleet. Default: ${DEFAULT-VALUE}")
  private int sensors;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "" + FleetSettings.DEFAULT_READINGS_PER_SECOND,
      description = "Readings a second of the whole fleet. Default: ${DEFAULT-VALUE}")
  private double rate;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private NodeOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    Duration runFor = runFor();
    if (sensors < 1 || !(rate > 0) || Double.isInfinite(rate)) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--sensors and --rate must be above 0: sensors=" + sensors + " rate=" + rate,
          "",
          "for example --sensors 200 --rate 200");
    }
    NodeSettings settings = options.settings();
    StopSignal stop = StopSignal.install();
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (RunningNode running = RunningNode.start(settings, stop)) {
      while (running.node().notReady().isPresent() && !stop.await(POLL)) {
        // stores of an earlier demo are catching up
      }
      long before = running.node().pulse().readingsIn();
      DemoFleet fleet =
          DemoFleet.start(
              new FleetSettings(
                  running.node().bootstrapServers(),
                  settings.topics().get(0),
                  sensors,
                  rate,
                  System.nanoTime(),
                  Map.of()));
      try {
        introduce(running, settings, fleet.sensorIds().get(0), out);
        long end = System.nanoTime() + runFor.toNanos();
        watch(running, end, new LiveLine(err, Terminal.stderr()));
      } finally {
        fleet.close();
      }
      conclude(running, before, fleet, settings, out);
    }
    return ExitCode.OK;
  }

  private Duration runFor() throws CommandFailure {
    if (duration.isEmpty()) {
      return UNTIL_SIGNAL;
    }
    try {
      return Duration.of(Durations.parseMicros(duration.get()), ChronoUnit.MICROS);
    } catch (TimeText.Invalid e) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--for " + e.reason() + ": got=" + duration.get(),
          "",
          "for example --for " + e.example(),
          e);
    }
  }

  /** Says where things are, and asks the first question that a user would. */
  private static void introduce(
      RunningNode running, NodeSettings settings, String sensor, PrintWriter out)
      throws CommandFailure, InterruptedException {
    String here = settings.bindsEveryAddress() ? "127.0.0.1" : settings.bind();
    String address = Ports.hostPort(here, running.node().httpPort());
    NodeClient client = new NodeClient(URI.create("http://" + address));
    Map<String, String> query = new LinkedHashMap<>();
    query.put("sensor_id", sensor);
    query.put("limit", "3");
    Map<String, Object> answer = firstAnswer(client, query, running.stop());
    out.println();
    out.println("Varve listens");
    out.println("  HTTP   http://" + address + "   (/v1/status, /metrics, /openapi.yaml)");
    out.println(
        "  Kafka  "
            + running.node().advertisedBrokers()
            + "   topic "
            + String.join(", ", settings.topics()));
    out.println("  Data   " + settings.data().toAbsolutePath().normalize());
    out.println();
    out.println("Newest rows of one sensor:");
    out.println("  curl '" + client.uri("/v1/readings", query) + "'");
    out.println();
    JsonTree.Printer json = new JsonTree.Printer(out, false);
    try {
      json.write(answer);
      json.flush();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    out.println();
    out.println();
    out.println("Ctrl-C stops.");
    out.flush();
  }

  private static Map<String, Object> firstAnswer(
      NodeClient client, Map<String, String> query, StopSignal stop)
      throws CommandFailure, InterruptedException {
    long deadline = System.nanoTime() + FIRST_ANSWER.toNanos();
    while (true) {
      String why = "no row yet";
      try {
        Map<String, Object> answer = client.get("/v1/readings", query);
        if (answer.get("rows") instanceof List<?> rows && !rows.isEmpty()) {
          return answer;
        }
      } catch (NodeRequestException e) {
        why = e.getMessage() + ": " + e.why();
      }
      if (stop.await(POLL)) {
        return Map.of();
      }
      if (System.nanoTime() > deadline) {
        throw new CommandFailure(
            ExitCode.FAILED,
            "the demo got no answer within " + FIRST_ANSWER.toSeconds() + " s",
            why,
            "see the lines above, with --verbose for more");
      }
    }
  }

  private static void watch(RunningNode running, long endNanos, LiveLine line) {
    long lastNanos = System.nanoTime();
    Pulse last = running.node().pulse();
    while (true) {
      long left = endNanos - System.nanoTime();
      if (left <= 0 || running.stop().await(min(TICK, Duration.ofNanos(left)))) {
        break;
      }
      long now = System.nanoTime();
      Pulse pulse = running.node().pulse();
      double seconds = (now - lastNanos) / 1e9;
      line.show(
          String.format(
              Locale.ROOT,
              "in %,.0f readings/s   visible lag %,d records   stored %,d rows",
              Math.max(0, pulse.readingsIn() - last.readingsIn()) / seconds,
              pulse.visibleLagRecords(),
              pulse.rowsStored()),
          now);
      last = pulse;
      lastNanos = now;
    }
    line.end();
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  /** Lets the last readings become visible, then says what came of them. */
  private static void conclude(
      RunningNode running, long before, DemoFleet fleet, NodeSettings settings, PrintWriter out)
      throws InterruptedException {
    long deadline = System.nanoTime() + DRAIN.toNanos();
    Pulse pulse = running.node().pulse();
    // The lag alone is a second old: it may not know of the last readings yet.
    while ((pulse.visibleLagRecords() > 0 || pulse.readingsIn() - before < fleet.acknowledged())
        && System.nanoTime() < deadline) {
      java.util.concurrent.TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
      pulse = running.node().pulse();
    }
    out.printf(
        Locale.ROOT,
        "demo: sent %,d readings, acknowledged %,d, failed %,d; the store has %,d rows (repeated"
            + " readings: %,d, refused: %,d), lag %,d records; data kept in %s%n",
        fleet.sent(),
        fleet.acknowledged(),
        fleet.failed(),
        pulse.rowsStored(),
        pulse.repeated(),
        pulse.refused(),
        pulse.visibleLagRecords(),
        settings.data());
    out.flush();
  }
}
