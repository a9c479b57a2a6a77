package io.varve.server.cli;

import io.varve.server.client.NodeClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One question asked page by page until there is no more, or enough. */
final class Pages {
  private static final long MOST_A_PAGE = 10_000;

  private final NodeClient client;
  private final String path;
  private final String member;
  private final Map<String, String> query;
  private final long limit;
  private final Map<String, Object> first;
  private boolean cut;

  private Pages(
      NodeClient client, String path, String member, Map<String, String> query, long limit)
      throws CommandFailure, InterruptedException {
    this.client = client;
    this.path = path;
    this.member = member;
    this.query = query;
    this.limit = limit;
    this.first = page(limit, "");
  }

  /**
   * Asks for the first page, so that what can't be answered fails before anything is printed.
   *
   * @param member member of the answer that holds the records
   * @param query parameters of the question, without limit and page token
   * @param limit most records in all
   */
  static Pages ask(
      NodeClient client, String path, String member, Map<String, String> query, long limit)
      throws CommandFailure, InterruptedException {
    if (limit < 1) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--limit must be at least 1: got=" + limit,
          "",
          "for example --limit 1000");
    }
    return new Pages(client, path, member, query, limit);
  }

  private Map<String, Object> page(long left, String token)
      throws CommandFailure, InterruptedException {
    Map<String, String> ask = new LinkedHashMap<>(query);
    ask.put("limit", String.valueOf(Math.min(left, MOST_A_PAGE)));
    if (!token.isEmpty()) {
      ask.put("page_token", token);
    }
    return NodeOption.get(client, path, ask);
  }

  /** Hands over each record, in the node's order, asking for further pages on the way. */
  void forEach(Consumer<Map<?, ?>> records) throws CommandFailure, InterruptedException {
    long left = limit;
    Map<String, Object> page = first;
    while (true) {
      if (page.get(member) instanceof List<?> list) {
        for (Object element : list) {
          if (element instanceof Map<?, ?> record) {
            records.accept(record);
            left--;
          }
        }
      }
      String token = page.get("next_page_token") instanceof String next ? next : "";
      cut = !token.isEmpty();
      if (token.isEmpty() || left <= 0) {
        return;
      }
      page = page(left, token);
    }
  }

  /** Whether there is more than was handed over. */
  boolean cut() {
    return cut;
  }

  /** The first answer, for what it says beside its records. */
  Map<String, Object> first() {
    return first;
  }
}
