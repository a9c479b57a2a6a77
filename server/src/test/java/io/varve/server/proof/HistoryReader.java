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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * the node is away, or says 503 and when to come back, it asks again; anything else is a fault. So
 * is an answer that is short of what was asked for and does not say so.
 */
final class HistoryReader implements Runnable {
  /** What can be asked. */
  enum Read {
    /** The newest rows, a page. */
    LATEST,
    /** A range, in either order. */
    RANGE,
    /** A range as CSV. */
    CSV,
    /** All pages, in either order, whatever happens between them. */
    WALK,
    /** How many rows there are in some days. */
    COUNT,
    /** The newest row. */
    NEWEST
  }

  /** What readers have done together. */
  static final class Tally {
    private static final Read[] READS = Read.values();

    private final Map<Read, AtomicLong> reads = new EnumMap<>(Read.class);
    final AtomicLong rows = new AtomicLong();

    /** Questions that nobody listened to, or whose answer broke off. */
    final AtomicLong away = new AtomicLong();

    /** Answers that said to come back later. */
    final AtomicLong refusals = new AtomicLong();

    /** Pages that said that the time for them was up. */
    final AtomicLong cut = new AtomicLong();

    /** Walks between whose pages a sensor's shards were changed. */
    final AtomicLong walksAcrossReshards = new AtomicLong();

    /** Changes of shards so far, of any sensor. */
    final AtomicLong reshards = new AtomicLong();

    final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
    final Queue<String> odd = new ConcurrentLinkedQueue<>();
    volatile boolean stopped;

    Tally() {
      for (Read read : READS) {
        reads.put(read, new AtomicLong());
      }
    }

    /** Reads that were judged, of one sort. */
    AtomicLong of(Read read) {
      return Objects.requireNonNull(reads.get(read));
    }

    boolean clean() {
      return faults.isEmpty() && odd.isEmpty();
    }

    long reads() {
      return reads.values().stream().mapToLong(AtomicLong::get).sum();
    }

    /** Reads by what was asked, for people. */
    String byRead() {
      return reads.toString();
    }

    /** Faults by kind, all of them: zero where there was none. */
    Map<History.Kind, Long> byKind() {
      Map<History.Kind, Long> by = new EnumMap<>(History.Kind.class);
      for (History.Kind kind : History.Kind.values()) {
        by.put(kind, faults.stream().filter(fault -> fault.kind() == kind).count());
      }
      return by;
    }
  }

  /** The node refused for now, or is away. */
  private static final class NotNowException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * How an answer says that it ends.
   *
   * @param complete what it says of itself
   * @param why its stop reason
   * @param token the next page's; empty if there is none
   */
  private record End(String complete, String why, String token) {
    static End of(JsonNode answer) {
      return new End(
          answer.path("complete").asText(),
          answer.path("stop_reason").asText(),
          answer.path("next_page_token").asText(""));
    }

    boolean exhausted() {
      return why.equals("exhausted");
    }

    /** Whether it ends for a reason that is so, and shows a way on where there is one. */
    boolean isRight(int rows, int limit) {
      return rows <= limit
          && switch (why) {
            case "exhausted" -> complete.equals("true") && token.isEmpty();
            case "limit" -> complete.equals("true") && !token.isEmpty() && rows == limit;
            case "deadline" -> complete.equals("false") && !token.isEmpty();
            default -> false;
          };
    }
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
      ask(
          Tally.READS[random.nextInt(Tally.READS.length)],
          histories.get(random.nextInt(histories.size())));
    }
  }

  /** Asks one question, and has the answer judged. */
  void ask(Read read, History history) {
    try {
      Optional<Fault> fault =
          switch (read) {
            case LATEST -> latest(history);
            case RANGE -> range(history, false);
            case CSV -> range(history, true);
            case WALK -> walk(history, 1 + random.nextInt(300), random.nextBoolean());
            case COUNT -> count(history);
            case NEWEST -> newest(history);
          };
      fault.ifPresent(tally.faults::add);
      tally.of(read).incrementAndGet();
    } catch (NotNowException e) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(30));
    } catch (RuntimeException | Error e) { // the edge of this thread: the test must hear of it
      tally.odd.add(read + " " + history.sensor + ": " + e);
    }
  }

  private NodeClient.Answer get(String query) {
    NodeClient.Answer answer;
    try {
      answer = node.get().get(query);
    } catch (UncheckedIOException e) {
      tally.away.incrementAndGet();
      throw new NotNowException();
    }
    if (answer.status() == 503 || answer.status() == 504) {
      if (answer.status() == 503 && answer.header("Retry-After").isEmpty()) {
        throw new AssertionError("503 without Retry-After: " + answer.body());
      }
      tally.refusals.incrementAndGet();
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

  /** Judges an answer's rows, then its end. */
  private Optional<Fault> check(
      History history, List<Row> rows, End end, int limit, Question question, Before before) {
    tally.rows.addAndGet(rows.size());
    tally.cut.addAndGet(end.why().equals("deadline") ? 1 : 0);
    return history
        .check(rows, question, end.exhausted(), before)
        .or(() -> end(history, rows.size(), end, limit));
  }

  private static Optional<Fault> end(History history, int rows, End end, int limit) {
    return end.isRight(rows, limit)
        ? Optional.empty()
        : Optional.of(
            history.silentPartial(
                "all rows, or " + limit + ", or the word that time was up; and a way on",
                rows + " rows, " + end));
  }

  private Optional<Fault> latest(History history) {
    int limit = 1 + random.nextInt(200);
    Before before = history.before(limit);
    return page(history, "&limit=" + limit, limit, Question.ALL, before);
  }

  private Optional<Fault> page(
      History history, String more, int limit, Question question, Before before) {
    JsonNode answer = get(about(history) + more).json();
    return check(history, NodeClient.rows(answer), End.of(answer), limit, question, before);
  }

  private Optional<Fault> range(History history, boolean csv) {
    Before before = history.before();
    if (before.size() == 0) {
      return Optional.empty();
    }
    long a = before.key(random.nextInt(before.size())).timestampMicros();
    long b = before.key(random.nextInt(before.size())).timestampMicros();
    boolean newestFirst = random.nextBoolean();
    Question question = new Question(Math.min(a, b), Math.max(a, b) + 1, newestFirst);
    String more =
        "&limit=10000&from="
            + question.fromMicros()
            + "&to="
            + question.toMicros()
            + (newestFirst ? "" : "&order=asc");
    return csv
        ? csv(history, more, question, before)
        : page(history, more, 10_000, question, before);
  }

  private Optional<Fault> csv(History history, String more, Question question, Before before) {
    NodeClient.Answer answer = get(about(history) + more + "&format=csv");
    List<Row> rows = new ArrayList<>();
    for (String line : answer.body().lines().skip(1).toList()) {
      String[] cells = line.split(",", -1);
      rows.add(
          new Row(
              Long.parseLong(cells[0]), Long.parseLong(cells[2]), Double.parseDouble(cells[1])));
    }
    End end =
        new End(
            answer.header("Varve-Complete"),
            answer.header("Varve-Stop-Reason"),
            answer.header("Varve-Next-Page-Token"));
    return check(history, rows, end, 10_000, question, before);
  }

  /** All pages, whatever happens between them: a token holds through any reshard. */
  private Optional<Fault> walk(History history, int limit, boolean newestFirst) {
    Before before = history.before();
    long reshards = tally.reshards.get();
    List<Row> rows = new ArrayList<>();
    String order = newestFirst ? "" : "&order=asc";
    Question question = new Question(Long.MIN_VALUE, Long.MAX_VALUE, newestFirst);
    String token = "";
    Optional<Fault> fault;
    End end;
    int pages = 0;
    do {
      JsonNode answer = get(about(history) + order + "&limit=" + limit + token).json();
      List<Row> page = NodeClient.rows(answer);
      end = End.of(answer);
      rows.addAll(page);
      fault = end(history, page.size(), end, limit);
      token = "&page_token=" + NodeClient.encode(end.token());
    } while (fault.isEmpty() && !end.exhausted() && ++pages < 40);
    tally.rows.addAndGet(rows.size());
    tally.walksAcrossReshards.addAndGet(pages > 0 && tally.reshards.get() != reshards ? 1 : 0);
    Optional<Fault> ofTheEnd = fault;
    return history.check(rows, question, end.exhausted(), before).or(() -> ofTheEnd);
  }

  private Optional<Fault> count(History history) {
    Before before = history.before();
    if (before.size() == 0) {
      return Optional.empty();
    }
    long day = 86_400_000_000L;
    long from = Math.floorDiv(before.key(before.size() - 1).timestampMicros(), day) * day;
    long to = Math.floorDiv(before.key(0).timestampMicros(), day) * day + day;
    JsonNode answer =
        get(about(history) + "&from=" + from + "&to=" + to + "&step=1d&agg=count&limit=10000")
            .json();
    End end = End.of(answer);
    Optional<Fault> fault = end(history, answer.path("rows").size(), end, 10_000);
    if (fault.isPresent() || !end.exhausted()) {
      return fault;
    }
    long count = 0;
    for (JsonNode bucket : answer.path("rows")) {
      if (!bucket.path("value").isIntegralNumber()) {
        throw new AssertionError("not a count: " + bucket);
      }
      count += bucket.path("value").longValue();
    }
    return history.checkCount(count, new Question(from, to, true), before);
  }

  private Optional<Fault> newest(History history) {
    Before before = history.before(1);
    JsonNode answer =
        get("/v1/latest?ts=epoch_us&sensor_id=" + NodeClient.encode(history.sensor)).json();
    List<Row> rows = new ArrayList<>();
    for (JsonNode row : answer.path("rows")) {
      if (row.path("timestamp").isIntegralNumber()) {
        rows.add(
            new Row(
                row.path("timestamp").longValue(),
                row.path("sequence").longValue(),
                NodeClient.value(row.path("value"))));
      }
    }
    End end = End.of(answer);
    tally.rows.addAndGet(rows.size());
    return history
        .check(rows, Question.ALL, rows.isEmpty(), before)
        .or(() -> end(history, rows.size(), end, 1));
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
                question.toString(),
                history.size() + " rows",
                rows.size() + " rows"));
      }
    }
    return Optional.empty();
  }
}
