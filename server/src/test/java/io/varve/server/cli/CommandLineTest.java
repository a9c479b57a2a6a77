package io.varve.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CommandLineTest {
  private static final String DONE = "\"compacted_days\":12";

  private final Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  CommandLineTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void versionIsDataOnStdout() {
    assertThat(run("version", "-o", "csv")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).startsWith("name,value\nvarve,").contains("\nkafka,4.");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void pipedOutputIsJsonUnlessSaidOtherwise() {
    assertThat(run("version")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).startsWith("{").contains("\"java\"");
  }

  @Test
  void helpIsThereForEveryCommand() {
    for (String[] command : commands()) {
      assertThat(run(concat(command, "--help"))).as(command[0]).isEqualTo(ExitCode.OK);
    }
    assertThat(out.toString())
        .contains("Usage: varve demo", "Usage: varve put", "--for", "Usage: varve store compact");
  }

  @Test
  void everyKnobOfALoadIsAnOption() {
    assertThat(run("load", "--help")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("--profile", "--rate=VALUE", "--late-share=VALUE");
    assertThat(run("load", "--profile", "soak", "--print-profile")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("zipf                = 0.9");
  }

  @Test
  void loadThatCannotBeIsWrongUsageAndSaysWhy() {
    assertThat(run("load", "--rate", "fast")).isEqualTo(ExitCode.USAGE);
    assertThat(run("load", "--profile", "unifrom")).isEqualTo(ExitCode.USAGE);
    assertThat(run("load", "--for", "soon")).isEqualTo(ExitCode.USAGE);
    assertThat(run("bench", "--rate", "fast")).isEqualTo(ExitCode.USAGE);
    assertThat(run("load", "--target", "cassandra")).isEqualTo(ExitCode.USAGE);
    assertThat(run("lab", "pages", "--seeds", "0")).isEqualTo(ExitCode.USAGE);
    assertThat(run("lab", "pages", "--year-keys", "30000")).isEqualTo(ExitCode.USAGE);
    assertThat(run("lab", "merge", "--shards", "1,3")).isEqualTo(ExitCode.USAGE);
    assertThat(run("lab", "merge", "--days", "0")).isEqualTo(ExitCode.USAGE);
    assertThat(run("find-max", "--within", "0")).isEqualTo(ExitCode.USAGE);
    assertThat(run("find-max", "--highest", "1k")).isEqualTo(ExitCode.USAGE);
    assertThat(run("load", "--url", "https://127.0.0.1:1")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("rate must be a whole number", "got=fast", "no such profile", "hot-ten")
        .contains("--for must be a time", "plain http address");
  }

  @Test
  void loadOnNobodySaysHowToStartANode() throws IOException {
    String nobody;
    try (ServerSocket socket = new ServerSocket(0)) {
      nobody = "127.0.0.1:" + socket.getLocalPort();
    }
    assertThat(run("load", "-b", nobody)).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(err.toString()).contains("no broker answers", "./varve up");
  }

  @Test
  void noCommandIsWrongUsage() {
    assertThat(run()).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("no command given").contains("do:  see varve --help");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void collectionOfCommandsAloneIsWrongUsage() {
    assertThat(run("store")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("no command given").contains("do:  see varve store --help");
  }

  @Test
  void misspeltOptionIsWrongUsageWithASuggestion() {
    assertThat(run("up", "--http-prot", "1")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--http-port");
  }

  @Test
  void wrongSettingIsThreeLinesAtMostAndNoStackTrace() {
    assertThat(run("up", "--http-port", "99999")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .isEqualTo(
            "varve: --http-port must be a whole number from 0 to 65535: got=99999\n"
                + "  do:  for example --http-port 8080\n");
  }

  @Test
  void nodeThatIsNotThereIsUnreachable() throws IOException {
    String url = "http://127.0.0.1:" + closedPort();
    for (String[] line :
        new String[][] {
          {"status"},
          {"sensors"},
          {"query", "a"},
          {"query", "a", "--step", "5m"},
          {"store", "compact"},
          {"store", "compact", "--no-wait"}
        }) {
      assertThat(run(concat(line, "--url", url))).as(line[0]).isEqualTo(ExitCode.UNREACHABLE);
    }
    assertThat(err.toString()).contains("no answer from the node").contains("./varve up");
    assertThat(out.toString()).as("an empty answer is an answer").isEmpty();
  }

  @Test
  void brokerThatIsNotThereIsUnreachable() throws IOException {
    Path file = folder.resolve("a.csv");
    Files.writeString(file, "timestamp,value\n2024-06-01,1\n");
    assertThat(run("put", file.toString(), "--sensor", "a", "-b", "127.0.0.1:" + closedPort()))
        .isEqualTo(ExitCode.UNREACHABLE);
    assertThat(err.toString()).contains("no broker answers");
  }

  @Test
  void missingFileIsNotFoundBeforeAnythingIsSent() {
    assertThat(run("put", folder.resolve("none.csv").toString())).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(err.toString()).contains("no such file").contains("nothing was sent");
  }

  @Test
  void dryRunChecksWithoutABroker() throws IOException {
    Path file = folder.resolve("plant-3.csv");
    Files.writeString(file, "timestamp,value\n2024-06-01,1\nyesterday,2\n");
    assertThat(run("put", "--dry-run", "--sensor-from-name", file.toString()))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString())
        .contains(file + ":3: timestamp")
        .contains("checked 1 rows of 1 files")
        .contains("refused 1 lines");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void sensorsFromTwoPlacesAreWrongUsage() throws IOException {
    Path file = folder.resolve("a.csv");
    Files.writeString(file, "timestamp,value\n");
    assertThat(run("put", "--sensor", "a", "--sensor-from-name", file.toString()))
        .isEqualTo(ExitCode.USAGE);
  }

  /** C097: an answer that can't be read is asked for once, and a NaN among numbers is shown. */
  @Test
  void unreadableAnswerIsAskedForOnce() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    HttpServer node = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    node.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          boolean good = String.valueOf(exchange.getRequestURI()).contains("good");
          String row = "{\"timestamp\":\"2024-06-01T00:00:00.000000Z\",\"value\":";
          String body =
              "{\"known\":true,\"rows\":["
                  + (good ? row + "\"NaN\"}," + row + "1.5}]" : row + "NaN}]")
                  + ",\"next_page_token\":null}";
          answer(exchange, 200, body);
        });
    node.start();
    try {
      String url = "http://127.0.0.1:" + node.getAddress().getPort();
      assertThat(run("query", "bad", "--url", url)).isNotEqualTo(ExitCode.OK);
      assertThat(asked).hasValue(1);
      assertThat(err.toString()).contains("is no Varve node").doesNotContain("\tat ");
      assertThat(out.toString()).isEmpty();
      for (String format : new String[] {"csv", "json", "table"}) {
        assertThat(run("query", "good", "--url", url, "-o", format)).isEqualTo(ExitCode.OK);
      }
      assertThat(asked).hasValue(4);
      assertThat(out.toString()).contains(",NaN,").contains("\"NaN\"").contains("1.5");
    } finally {
      node.stop(0);
    }
  }

  @Test
  void compactionIsWaitedForUnlessSaidOtherwise() throws IOException {
    HttpServer node = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    List<String> asked = new CopyOnWriteArrayList<>();
    node.createContext(
        "/v1/store/compact",
        exchange -> {
          asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
          boolean begin = exchange.getRequestURI().getQuery() != null;
          answer(exchange, begin ? 202 : 200, "{" + (begin ? "\"compacting\":true" : DONE) + "}");
        });
    node.start();
    try {
      String url = "http://127.0.0.1:" + node.getAddress().getPort();
      assertThat(run("store", "compact", "--url", url, "-o", "csv")).isEqualTo(ExitCode.OK);
      assertThat(out.toString()).isEqualTo("name,value\ncompacted_days,12\n");
      assertThat(run("store", "compact", "--url", url, "-o", "table")).isEqualTo(ExitCode.OK);
      assertThat(run("store", "compact", "--url", url, "--no-wait")).isEqualTo(ExitCode.OK);
      assertThat(out.toString()).contains("compacted_days  12\n").contains("\"compacting\" : true");
      assertThat(err.toString()).as("nothing to tell of what is done at once").isEmpty();
      assertThat(asked)
          .containsExactly(
              "POST /v1/store/compact",
              "POST /v1/store/compact",
              "POST /v1/store/compact?wait=false");
    } finally {
      node.stop(0);
    }
  }

  @Test
  void compactionShowsHowFarItIs() throws IOException {
    HttpServer node = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    CountDownLatch shown = new CountDownLatch(2);
    node.createContext(
        "/v1/store/compact",
        exchange -> {
          try {
            assertThat(shown.await(20, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          answer(exchange, 200, "{" + DONE + "}");
        });
    node.createContext(
        "/v1/status",
        exchange -> {
          answer(exchange, 200, "{\"compaction\":{\"running\":true,\"days_done\":5,\"days\":12}}");
          shown.countDown();
        });
    ExecutorService threads = Executors.newCachedThreadPool();
    node.setExecutor(threads);
    node.start();
    try {
      String url = "http://127.0.0.1:" + node.getAddress().getPort();
      assertThat(run("store", "compact", "--url", url, "-o", "json")).isEqualTo(ExitCode.OK);
      assertThat(err.toString()).isEqualTo("varve: compacting: days=5 of=12\n");
      assertThat(out.toString()).contains("\"compacted_days\" : 12");
    } finally {
      node.stop(0);
      threads.shutdown();
    }
  }

  @Test
  void compactionThatFailsSaysWhy() throws IOException {
    HttpServer node = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    AtomicInteger status = new AtomicInteger(500);
    node.createContext(
        "/", exchange -> answer(exchange, status.get(), "{\"detail\":\"No space; make room.\"}"));
    node.start();
    try {
      String url = "http://127.0.0.1:" + node.getAddress().getPort();
      assertThat(run("store", "compact", "--url", url)).isEqualTo(ExitCode.FAILED);
      assertThat(err.toString()).contains("why: No space; make room.").doesNotContain("\tat ");
      status.set(503);
      assertThat(run("store", "compact", "--url", url)).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(err.toString()).contains("the node is not ready");
      assertThat(out.toString()).isEmpty();
    } finally {
      node.stop(0);
    }
  }

  @Test
  void numberThatIsNoneIsSaidInPlainWords() {
    assertThat(run("query", "a", "--limit", "x")).isEqualTo(ExitCode.USAGE);
    assertThat(run("demo", "--rate", "x")).isEqualTo(ExitCode.USAGE);
    assertThat(run("up", "-X", "bogus")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("'--limit': 'x' is no whole number", "'--rate': 'x' is no number")
        .doesNotContain("long", "double", "option option");
  }

  @Test
  void helpFitsATerminal() {
    for (String[] command : commands()) {
      run(concat(command, "--help"));
    }
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
    assertThat(out.toString().lines().map(String::strip))
        .as("words left alone by wrapping")
        .noneMatch(line -> line.matches("[a-z]+"));
  }

  @Test
  void binaryFileIsNamedWithoutItsBytes() throws IOException {
    Path file = folder.resolve("a.jar");
    Files.write(file, new byte[] {'P', 'K', 3, 4, 27, 7, 0, 1});
    assertThat(run("put", "--dry-run", file.toString())).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString().chars().filter(c -> c < ' ' && c != '\n' && c != '\t')).isEmpty();
  }

  @Test
  void limitBelowOneIsWrongUsage() {
    assertThat(run("query", "a", "--limit", "0")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--limit must be at least 1: got=0");
  }

  @Test
  void addressThatIsNoHttpIsWrongUsage() {
    assertThat(run("status", "--url", "ftp://x")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void demoRefusesWhatItCannotRun() {
    assertThat(run("demo", "--rate", "0")).isEqualTo(ExitCode.USAGE);
    assertThat(run("demo", "--for", "soon")).isEqualTo(ExitCode.USAGE);
  }

  private int run(String... args) {
    CommandLine line = VarveCommand.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(args);
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** Every command, those of collections after the collection's name. */
  private static List<String[]> commands() {
    List<String[]> commands = new ArrayList<>();
    VarveCommand.commandLine()
        .getSubcommands()
        .forEach(
            (name, command) -> {
              commands.add(new String[] {name});
              command.getSubcommands().keySet().stream()
                  .map(each -> new String[] {name, each})
                  .forEach(commands::add);
            });
    return commands;
  }

  private static String[] concat(String[] line, String... more) {
    String[] all = java.util.Arrays.copyOf(line, line.length + more.length);
    System.arraycopy(more, 0, all, line.length, more.length);
    return all;
  }

  private static int closedPort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0)) {
      return probe.getLocalPort();
    }
  }
}
