package io.varve.server.cli;

import io.varve.load.http.VarveAdmin;
import io.varve.load.http.VarveTarget;
import io.varve.load.lab.PagesFigures;
import io.varve.load.lab.PagesModel;
import io.varve.load.lab.PagesSettings;
import io.varve.load.lab.PagesTable;
import io.varve.load.lab.StoreFigures;
import io.varve.load.lab.StoreLab;
import io.varve.load.report.LabPages;
import io.varve.load.target.QueryException;
import io.varve.load.target.TargetException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
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

/** {@code varve lab pages}: how many pages the latest rows of a key touch. */
@Command(
    name = "pages",
    sortOptions = false,
    description =
        "How many pages does \"latest 20 of a sensor\" touch? First on a model with published"
            + " figures, then with the same rows in a node of its own, which is deleted at the end.",
    footer = {
      "",
      "The model: 2,000,000 rows of 200 bytes, spread evenly over 20,000 keys and one year in",
      "random order, on pages of 8,192 bytes; 1,000 readers ask for the latest 20 of a key."
    })
final class LabPagesCommand implements Callable<Integer> {
  private static final long DAY_MICROS = 86_400_000_000L;

  /** A year of 365 days, and a day of it. */
  private static final long YEAR = micros(LocalDate.of(2023, 1, 1));

  private static final long ONE_DAY = micros(LocalDate.of(2022, 6, 1));
  private static final long MARCH = micros(LocalDate.of(2023, 3, 1));
  private static final long APRIL = micros(LocalDate.of(2023, 4, 1));

  /** Each store opens each day of the year: what an answer touches is the same with one. */
  private static final Map<String, String> ONE_STORE = Map.of("partitions", "1");

  private static final PagesSettings MODEL = PagesSettings.PUBLISHED;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "10",
      description = "Seeds that the model is drawn from, 1 to N. Default: ${DEFAULT-VALUE}")
  private int seeds;

  @Option(names = "--model-only", description = "Leave the node out.")
  private boolean modelOnly;

  @Option(
      names = "--year-keys",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "Keys whose rows are put into the node over the year; each takes a block on each of some"
              + " 87 days until they are compacted. Default: ${DEFAULT-VALUE}")
  private int yearKeys;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Write lab-pages.html, with a drawing, and lab-pages.json there.")
  private Optional<Path> report = Optional.empty();

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  private static long micros(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toEpochSecond() * 1_000_000;
  }

  @Override
  public Integer call() throws CommandFailure {
    if (seeds < 1 || seeds > 1_000) {
      throw new CommandFailure(
          ExitCode.USAGE, "--seeds must be 1 to 1000: got=" + seeds, "", "for example --seeds 10");
    }
    if (yearKeys < 1 || yearKeys > MODEL.keys()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--year-keys must be 1 to " + MODEL.keys() + ": got=" + yearKeys,
          "",
          "for example --year-keys 1000");
    }
    Verbosity.quietClients();
    Verbosity.quietNode();
    LiveLine line = new LiveLine(spec.commandLine().getErr(), Terminal.stderr());
    try {
      Map<String, Object> tree = run(line);
      line.end();
      print(tree);
      return ExitCode.OK;
    } catch (TargetException | QueryException | IOException e) {
      throw TemporaryNode.noResult("lab", e);
    }
  }

  private Map<String, Object> run(LiveLine line)
      throws CommandFailure, TargetException, QueryException, IOException {
    List<PagesFigures> figures = new ArrayList<>();
    for (int seed = 1; seed <= seeds; seed++) {
      line.show("lab: model, seed " + seed + " of " + seeds, System.nanoTime());
      figures.add(new PagesModel(MODEL, seed).ask());
    }
    PagesModel model = new PagesModel(MODEL, 1);
    Map<String, Object> tree = new LinkedHashMap<>();
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("rows", MODEL.rows());
    settings.put("keys", MODEL.keys());
    settings.put("page_bytes", MODEL.pageBytes());
    settings.put("row_bytes", MODEL.rowBytes());
    settings.put("readers", MODEL.readers());
    settings.put("latest", MODEL.latest());
    settings.put("seeds", seeds);
    tree.put("model", settings);
    tree.put("figures", PagesTable.rows(figures, true));
    line.show("lab: one key of a million rows", System.nanoTime());
    double single = new PagesModel(MODEL.ofOneKey(1_000_000), 1).ask().pagesB();
    tree.put("one_key_of_a_million_rows_pages", single);
    List<Map<String, Object>> store = new ArrayList<>();
    if (!modelOnly) {
      store(model, store, line);
    }
    tree.put("store", store);
    tree.put("buckets", buckets(model));
    tree.put("notes", notes(single));
    if (report.isPresent()) {
      LabPages.write(report.get(), tree, strips(model));
    }
    return tree;
  }

  private static List<LabPages.Strip> strips(PagesModel model) {
    List<int[]> touched = model.strip(0);
    int pages = MODEL.rows() / (MODEL.pageBytes() / MODEL.rowBytes());
    return List.of(
        new LabPages.Strip("A, in order of arrival", pages, touched.get(0)),
        new LabPages.Strip("B, by key, newest first", pages, touched.get(1)));
  }

  private void store(PagesModel model, List<Map<String, Object>> rows, LiveLine line)
      throws CommandFailure, TargetException, QueryException, IOException {
    line.show("lab: starting a node", System.nanoTime());
    try (TemporaryNode node = TemporaryNode.start(StopSignal.install(), ONE_STORE)) {
      VarveTarget target = node.ready();
      line.show("lab: all rows squeezed into one day", System.nanoTime());
      StoreLab day = new StoreLab(target, "lab-day-");
      day.fill(model.byTime(MODEL.keys()), ONE_DAY, DAY_MICROS);
      line.show("lab: rows of " + yearKeys + " keys over a year", System.nanoTime());
      StoreLab year = new StoreLab(target, "lab-year-");
      year.fill(model.byTime(yearKeys), YEAR, 365 * DAY_MICROS);
      ask(day, year, "as written", rows);
      line.show("lab: compacting", System.nanoTime());
      try (VarveAdmin admin = new VarveAdmin(node.url())) {
        admin.compact();
      }
      ask(day, year, "compacted", rows);
    }
  }

  private void ask(StoreLab day, StoreLab year, String form, List<Map<String, Object>> rows)
      throws QueryException {
    int readers = MODEL.readers();
    rows.add(row("latest 20, one day", form, day.latest(MODEL.keys(), readers, MODEL.latest(), 1)));
    rows.add(row("latest 20, a year", form, year.latest(yearKeys, readers, MODEL.latest(), 1)));
    rows.add(row("March, a year", form, year.range(yearKeys, readers, MARCH, APRIL, 1)));
  }

  private static Map<String, Object> row(String question, String form, StoreFigures figures) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("question", question);
    row.put("form", form);
    row.put("rows", rounded(figures.rows()));
    row.put("blocks", rounded(figures.blocks()));
    row.put("rows_decoded", rounded(figures.decoded()));
    row.put("decoded_a_row", rounded(figures.decodedPerRow()));
    return row;
  }

  /** What the width of the time bucket does to a sparse key, and to a sensor of each 10 s. */
  private static List<Map<String, Object>> buckets(PagesModel model) {
    List<Map<String, Object>> rows = new ArrayList<>();
    rows.add(bucket("day", model.partsOfLatest(365), 8_640, 1));
    rows.add(bucket("month", model.partsOfLatest(12), 8_640 * 30, 30));
    return rows;
  }

  private static Map<String, Object> bucket(
      String width, double read, int rowsOfTenSeconds, int daysKept) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("bucket", width);
    row.put("blocks_for_latest_20_of_a_sparse_key", rounded(read));
    row.put("rows_in_a_partition_at_10_s", rowsOfTenSeconds);
    row.put("days_kept_too_long_at_most", daysKept);
    return row;
  }

  private List<String> notes(double single) {
    return List.of(
        String.format(
            Locale.ROOT, "One key of 1,000,000 rows: its latest 20 lie on %.0f page (B).", single),
        "A store reads one block for each day that has rows: a key with a row each 3.65 days"
            + " needs as many blocks for its latest 20 as they have days.",
        "A month for a bucket would save most of those blocks; it would cost partitions thirty"
            + " times as large, expiry a month at a time, and late rows that open a whole month.",
        "The year was filled with "
            + yearKeys
            + " of "
            + MODEL.keys()
            + " keys: what an answer touches does not depend on how many others there are.");
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }

  private void print(Map<String, Object> tree) {
    if (output.format() != OutputFormat.table) {
      output.printFacts(tree);
      return;
    }
    for (String name : List.of("figures", "store", "buckets")) {
      @SuppressWarnings("unchecked") // put there above
      List<Map<String, Object>> rows =
          (List<Map<String, Object>>) tree.getOrDefault(name, List.of());
      if (!rows.isEmpty()) {
        List<String> columns =
            name.equals("figures") ? PagesTable.COLUMNS : List.copyOf(rows.get(0).keySet());
        try (RecordPrinter table = output.records(columns)) {
          rows.forEach(table::print);
        }
        spec.commandLine().getOut().println();
      }
    }
    if (tree.get("notes") instanceof List<?> notes) {
      notes.forEach(note -> spec.commandLine().getOut().println("note: " + note));
    }
    spec.commandLine().getOut().flush();
  }
}
