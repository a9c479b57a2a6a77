package io.varve.server.proof;

import com.fasterxml.jackson.databind.JsonNode;
import io.varve.server.proof.History.Before;
import io.varve.server.proof.History.Fault;
import io.varve.server.proof.History.Question;
import io.varve.storage.Row;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A client that asks all kinds of questions about random sensors and has each answer judged. While
 * the node is away, or says 503 and when to come back, it asks again; anything else is a fault.
 */
final class HistoryReader implements Runnable {
  /** What readers have done together. */
  static final class Tally {
    final AtomicLong reads = new AtomicLong();
    final AtomicLong rows = new AtomicLong();
    final AtomicLong refusals = new AtomicLong();
    final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
    final Queue<String> odd = new ConcurrentLinkedQueue<>();
    volatile boolean stopped;

    boolean clean() {
      return faults.isEmpty() && odd.isEmpty();
    }
  }

  /** The node refused for now, or is away. */
  private static final class NotNowException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final List<History> histories;
  private final Supplier<NodeClient> node;
  private final Random random;
  private final Tally tally;

  HistoryReader(List<History> histories, Supplier<NodeClient> node, long seed, Tally tally) {
    this.histories = histories;
    this.node = node;
    this.random = new Random(seed);
    this.tally = tally;
  }

  @Override
  public void run() {
    while (!tally.stopped && tally.clean()) {
      ask(histories.get(random.nextInt(histories.size())));
    }
  }

  private void ask(History history) {
    try {
      Optional<Fault> fault =
          switch (random.nextInt(6)) {
            case 0 -> latest(history);
            case 1 -> range(history, false);
            case 2 -> range(history, true);
            case 3 -> walk(history, 1 + random.nextInt(300), random.nextBoolean());
            case 4 -> count(history);
            default -> newestOfMany(history);
          };
      fault.ifPresent(tally.faults::add);
      tally.reads.incrementAndGet();
    } catch (NotNowException e) {
      tally.refusals.incrementAndGet();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(30));
    } catch (RuntimeException | Error e) { // the edge of this thread: the test must hear of it
      tally.odd.add(history.sensor + ": " + e);
    }
  }

  private NodeClient.Answer get(String query) {
    NodeClient.Answer answer;
    try {
      answer = node.get().get(query);
    } catch (UncheckedIOException e) {
      throw new NotNowException();
    }
    if (answer.status() == 503 || answer.status() == 504) {
      if (answer.status() == 503 && answer.header("Retry-After").isEmpty()) {
        throw new AssertionError("503 without Retry-After: " + answer.body());
      }
      throw new NotNowException();
    }
    if (answer.status() != 200) {
      throw new AssertionError(query + " -> " + answer.status() + " " + answer.body());
    }
    return answer;
  }

  private static String about(History history) {
    return "/v1/readings?ts=epoch_us&sensor_id=" + NodeClient.encode(history.sensor);
  }

  private Optional<Fault> latest(History history) {
    int limit = 1 + random.nextInt(200);
    return page(history, "", limit, Question.ALL);
  }

  private Optional<Fault> page(History history, String more, int limit, Question question) {
    Before before = history.before();
    JsonNode answer = get(about(history) + more + "&limit=" + limit).json();
    List<Row> rows = NodeClient.rows(answer);
    tally.rows.addAndGet(rows.size());
    return history.check(rows, question, atTheEnd(answer, rows.size(), limit), before);
  }

  /**
   * Whether an answer says that there are no more rows; it must say rightly why it stopped if not.
   */
  private static boolean atTheEnd(JsonNode answer, int rows, int limit) {
    String why = answer.path("stop_reason").asText();
    if (rows > limit || (why.equals("limit") && rows < limit)) {
      throw new AssertionError("rows=" + rows + " limit=" + limit + " stop_reason=" + why);
    }
    boolean complete = answer.path("complete").asBoolean();
    if (complete == why.equals("deadline")) {
      throw new AssertionError("complete=" + complete + " stop_reason=" + why);
    }
    return why.equals("exhausted");
  }

  private Optional<Fault> range(History history, boolean csv) {
    List<Row> known = history.rows();
    if (known.isEmpty()) {
      return Optional.empty();
    }
    long a = known.get(random.nextInt(known.size())).timestampMicros();
    long b = known.get(random.nextInt(known.size())).timestampMicros();
    boolean newestFirst = random.nextBoolean();
    Question question = new Question(Math.min(a, b), Math.max(a, b) + 1, newestFirst);
    String more =
        "&from="
            + question.fromMicros()
            + "&to="
            + question.toMicros()
            + (newestFirst ? "" : "&order=asc");
    if (!csv) {
      return page(history, more, 10_000, question);
    }
    Before before = history.before();
    NodeClient.Answer answer = get(about(history) + more + "&limit=10000&format=csv");
    List<Row> rows = new ArrayList<>();
    for (String line : answer.body().lines().skip(1).toList()) {
      String[] cells = line.split(",");
      rows.add(
          new Row(
              Long.parseLong(cells[0]), Long.parseLong(cells[2]), Double.parseDouble(cells[1])));
    }
    tally.rows.addAndGet(rows.size());
    boolean toTheEnd = answer.header("Varve-Stop-Reason").equals("exhausted");
    return history.check(rows, question, toTheEnd, before);
  }

  /** All pages, whatever happens between them: a token holds through any reshard. */
  private Optional<Fault> walk(History history, int limit, boolean newestFirst) {
    Before before = history.before();
    List<Row> rows = new ArrayList<>();
    String token = "";
    boolean toTheEnd;
    int pages = 0;
    do {
      String order = newestFirst ? "" : "&order=asc";
      JsonNode answer = get(about(history) + order + "&limit=" + limit + token).json();
      List<Row> page = NodeClient.rows(answer);
      rows.addAll(page);
      JsonNode next = answer.path("next_page_token");
      toTheEnd = atTheEnd(answer, page.size(), limit) && next.isNull();
      token = next.isNull() ? "" : "&page_token=" + NodeClient.encode(next.asText());
    } while (!token.isEmpty() && ++pages < 40);
    tally.rows.addAndGet(rows.size());
    return history.check(
        rows, new Question(Long.MIN_VALUE, Long.MAX_VALUE, newestFirst), toTheEnd, before);
  }

  private Optional<Fault> count(History history) {
    List<Row> known = history.rows();
    if (known.isEmpty()) {
      return Optional.empty();
    }
    long day = 86_400_000_000L;
    long from = Math.floorDiv(known.get(known.size() - 1).timestampMicros(), day) * day;
    long to = Math.floorDiv(known.get(0).timestampMicros(), day) * day + day;
    Before before = history.before();
    JsonNode answer =
        get(about(history) + "&from=" + from + "&to=" + to + "&step=1d&agg=count").json();
    if (!atTheEnd(answer, answer.path("rows").size(), 10_000)) {
      return Optional.empty();
    }
    long count = 0;
    for (JsonNode bucket : answer.path("rows")) {
      count += bucket.path("value").asLong(bucket.path("count").asLong());
    }
    return history.checkCount(count, new Question(from, to, true), before);
  }

  private Optional<Fault> newestOfMany(History history) {
    Before before = history.before();
    JsonNode answer =
        get("/v1/latest?ts=epoch_us&sensor_id=" + NodeClient.encode(history.sensor)).json();
    JsonNode row = answer.path("rows").path(0);
    List<Row> rows = new ArrayList<>();
    if (row.has("timestamp")) {
      rows.add(
          new Row(
              row.path("timestamp").longValue(),
              row.path("sequence").longValue(),
              NodeClient.value(row.path("value"))));
    }
    return history.check(rows, Question.ALL, rows.isEmpty(), before);
  }

  /** The present, in microseconds since 1970. */
  static long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  /** Reads one sensor whole, in both orders. */
  static Optional<Fault> whole(History history, NodeClient client) {
    Before before = history.before();
    for (boolean newestFirst : new boolean[] {true, false}) {
      List<Row> rows = client.allRows(history.sensor, newestFirst ? "desc" : "asc", 997);
      Question question = new Question(Long.MIN_VALUE, Long.MAX_VALUE, newestFirst);
      Optional<Fault> fault = history.check(rows, question, true, before);
      if (fault.isPresent()) {
        return fault;
      }
      if (rows.size() != history.size()) {
        return Optional.of(
            new Fault(
                History.Kind.MISCOUNTED,
                history.sensor,
                rows.size() + " rows of " + history.size()));
      }
    }
    return Optional.empty();
  }
}
