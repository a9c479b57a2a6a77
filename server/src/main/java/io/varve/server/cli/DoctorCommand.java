package io.varve.server.cli;

import io.varve.server.client.NodeClient;
import io.varve.server.doctor.BrokerFigures;
import io.varve.server.doctor.BrokerProbe;
import io.varve.server.doctor.Diagnosis;
import io.varve.server.doctor.Doctor;
import io.varve.server.doctor.Examined;
import io.varve.server.doctor.NodeAnswers;
import io.varve.server.doctor.NodeFigures;
import io.varve.server.doctor.ProbeException;
import io.varve.server.doctor.Verdict;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
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

/** {@code varve doctor}: what is wrong with a node, or soon will be. */
@Command(
    name = "doctor",
    sortOptions = false,
    description = "Looks a node and its brokers over and says what is wrong and what to do.",
    footer = {
      "",
      "It asks the node twice, two seconds apart, and the brokers once; it changes",
      "nothing. Clocks are compared with this machine's.",
      "Exit codes: 0 nothing is bad (there may be warnings), 1 something is bad."
    })
final class DoctorCommand implements Callable<Integer> {
  private static final long LOOK_AGAIN_MILLIS = 2000;
  private static final String LOCAL = "127.0.0.1:9092";
  private static final List<String> COLUMNS = List.of("check", "verdict", "saw", "do");

  @Option(
      names = "--node",
      paramLabel = "URL",
      defaultValue = "${env:VARVE_URL:-http://127.0.0.1:8080}",
      description = {"Address of the node, or in VARVE_URL.", "Default: http://127.0.0.1:8080"})
  @SuppressWarnings("NullAway.Init") // set by picocli
  private URI node;

  @Option(
      names = {"-b", "--brokers"},
      paramLabel = "HOST:PORT",
      defaultValue = "${env:VARVE_BROKERS:-}",
      description = {
        "Kafka brokers of the node, or in VARVE_BROKERS.",
        "Default: 127.0.0.1:9092 for a node of this machine, else none"
      })
  private String brokers = "";

  @Option(
      names = "-X",
      paramLabel = "KEY=VALUE",
      description = "Any Kafka client setting; may be repeated.")
  private Map<String, String> kafka = Map.of();

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    Verbosity.quietClients();
    List<Diagnosis> found = Doctor.examine(look());
    Verdict worst =
        found.stream().map(Diagnosis::verdict).max(Comparator.naturalOrder()).orElse(Verdict.OK);
    switch (output.format()) {
      case table -> printLines(found);
      case json -> {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("verdict", worst.toString());
        tree.put("checks", found.stream().map(DoctorCommand::record).toList());
        output.printFacts(tree);
      }
      case csv -> {
        try (RecordPrinter printer = output.records(COLUMNS)) {
          found.forEach(each -> printer.print(record(each)));
        }
      }
    }
    return worst == Verdict.BAD ? ExitCode.FAILED : ExitCode.OK;
  }

  private Examined look() throws CommandFailure, InterruptedException {
    NodeClient client = NodeOption.client("--node", node);
    Map<String, Object> stats = StoreFilesOption.stats(client, false);
    long asked = nowMicros();
    Map<String, Object> status = NodeOption.get(client, "/v1/status", Map.of());
    long answered = nowMicros();
    NodeFigures before = NodeAnswers.figures(status, stats);
    Thread.sleep(LOOK_AGAIN_MILLIS);
    status = NodeOption.get(client, "/v1/status", Map.of());
    NodeFigures after = NodeAnswers.figures(status, stats);
    Optional<BrokerFigures> asBrokersTell = Optional.empty();
    String whyNot = "";
    if (brokers.isBlank() && !isLocal(node)) {
      whyNot = "it is not known which brokers the node has"; // this machine's may be others
    } else {
      try {
        asBrokersTell =
            Optional.of(BrokerProbe.ask(brokers.isBlank() ? LOCAL : brokers, kafka, after));
      } catch (ProbeException e) {
        whyNot = String.valueOf(e.getMessage());
      }
    }
    return new Examined(before, after, asked, answered, nowMicros(), asBrokersTell, whyNot);
  }

  private static boolean isLocal(URI node) {
    String host = String.valueOf(node.getHost());
    return host.startsWith("127.") || host.equals("localhost") || host.equals("[::1]");
  }

  private static long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  private static Map<String, Object> record(Diagnosis each) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("check", each.check());
    record.put("verdict", each.verdict().toString());
    record.put("saw", each.saw());
    record.put("do", each.whatToDo());
    return record;
  }

  private void printLines(List<Diagnosis> found) {
    PrintWriter out = spec.commandLine().getOut();
    for (Diagnosis each : found) {
      out.printf(Locale.ROOT, "%-4s  %-20s  %s%n", each.verdict(), each.check(), each.saw());
      if (!each.whatToDo().isEmpty()) {
        out.printf(Locale.ROOT, "%-4s  %-20s  do: %s%n", "", "", each.whatToDo());
      }
    }
    out.printf(
        Locale.ROOT,
        "%n%d ok, %d to watch, %d bad%n",
        count(found, Verdict.OK),
        count(found, Verdict.WARN),
        count(found, Verdict.BAD));
    out.flush();
  }

  private static long count(List<Diagnosis> found, Verdict verdict) {
    return found.stream().filter(each -> each.verdict() == verdict).count();
  }
}
