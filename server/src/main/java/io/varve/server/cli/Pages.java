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
  private boolean cut;
  private Map<String, Object> first = Map.of();

  /**
   * @param member member of the answer that holds the records
   * @param query parameters of the question, without limit and page token
   * @param limit most records in all
   */
  Pages(NodeClient client, String path, String member, Map<String, String> query, long limit)
      throws CommandFailure {
    if (limit < 1) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--limit must be at least 1: got=" + limit,
          "",
          "for example --limit 1000");
    }
    this.client = client;
    this.path = path;
    this.member = member;
    this.query = query;
    this.limit = limit;
  }

  /** Asks and hands over each record, in the node's order. */
  void forEach(Consumer<Map<?, ?>> records) throws CommandFailure, InterruptedException {
    long left = limit;
    String token = "";
    do {
      Map<String, String> ask = new LinkedHashMap<>(query);
      ask.put("limit", String.valueOf(Math.min(left, MOST_A_PAGE)));
      if (!token.isEmpty()) {
        ask.put("page_token", token);
      }
      Map<String, Object> page = NodeOption.get(client, path, ask);
      if (first.isEmpty()) {
        first = page;
      }
      if (page.get(member) instanceof List<?> list) {
        for (Object element : list) {
          if (element instanceof Map<?, ?> record) {
            records.accept(record);
            left--;
          }
        }
      }
      token = page.get("next_page_token") instanceof String next ? next : "";
    } while (!token.isEmpty() && left > 0);
    cut = !token.isEmpty();
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
