package io.varve.server.node;

import io.varve.storage.Arrivals;
import java.util.LinkedHashMap;
import java.util.Map;

/** How rows came, as status and the store commands show it. */
public final class ArrivalFacts {
  private ArrivalFacts() {}

  /** Returns counts, and ratios with four decimals. */
  public static Map<String, Object> of(Arrivals arrivals) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("in_order", arrivals.inOrder());
    facts.put("late", arrivals.late());
    facts.put("overwritten", arrivals.overwritten());
    facts.put("duplicates", arrivals.duplicates());
    facts.put("late_ratio", rounded(arrivals.lateRatio()));
    facts.put("overwrite_ratio", rounded(arrivals.overwriteRatio()));
    return facts;
  }

  private static double rounded(double ratio) {
    return Math.round(ratio * 10_000) / 10_000.0;
  }
}
