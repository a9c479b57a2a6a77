package io.varve.load.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** The figures of the model of pages over several seeds, beside the published ones. */
public final class PagesTable {
  /** Columns of {@link #rows}. */
  public static final List<String> COLUMNS =
      List.of("figure", "layout", "mean", "least", "most", "published");

  private static final String ARRIVAL = "A: order of arrival";
  private static final String GROUPED = "B: by key, newest first";

  private final List<PagesFigures> seeds;
  private final boolean published;
  private final List<Map<String, Object>> rows = new ArrayList<>();

  private PagesTable(List<PagesFigures> seeds, boolean published) {
    this.seeds = seeds;
    this.published = published;
  }

  /**
   * Makes the table.
   *
   * @param seeds the figures of each seed, at least one
   * @param published whether the settings are those of the published experiment
   */
  public static List<Map<String, Object>> rows(List<PagesFigures> seeds, boolean published) {
    PagesTable table = new PagesTable(seeds, published);
    table.add("latest: data pages", ARRIVAL, 19.99, PagesFigures::pagesA);
    table.add("latest: data pages", GROUPED, 1.49, PagesFigures::pagesB);
    table.add("latest: index pages", ARRIVAL, 3.04, PagesFigures::indexPagesA);
    table.add("latest: index pages", GROUPED, 2, PagesFigures::indexPagesB);
    table.add("latest: rows on those data pages", ARRIVAL, 799.7, PagesFigures::rowsOnPagesA);
    table.add("latest: rows on those data pages", GROUPED, 59.5, PagesFigures::rowsOnPagesB);
    table.add("March: rows", "both", 8.55, PagesFigures::marchRows);
    table.add("March: data pages", ARRIVAL, 8.55, PagesFigures::marchPagesA);
    table.add("March: data pages", GROUPED, 1.21, PagesFigures::marchPagesB);
    table.add("March: rows examined", ARRIVAL, 8.55, PagesFigures::marchExaminedA);
    table.add("March: rows examined", GROUPED, 29.22, PagesFigures::marchExaminedB);
    return table.rows;
  }

  private void add(
      String figure, String layout, double known, ToDoubleFunction<PagesFigures> value) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("figure", figure);
    row.put("layout", layout);
    row.put("mean", rounded(seeds.stream().mapToDouble(value).average()));
    row.put("least", rounded(seeds.stream().mapToDouble(value).min()));
    row.put("most", rounded(seeds.stream().mapToDouble(value).max()));
    if (published) {
      row.put("published", known);
    }
    rows.add(row);
  }

  private static double rounded(OptionalDouble value) {
    return Math.round(value.orElseThrow() * 100) / 100.0;
  }
}
