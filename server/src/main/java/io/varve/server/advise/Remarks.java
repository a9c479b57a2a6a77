package io.varve.server.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What is to be said of a sample and a proposal in words. */
final class Remarks {
  private static final int HOURS_A_DAY = 24;
  private static final int DAYS_A_WEEK = 7;

  /** What one ordinary database is good for. */
  private static final double DATABASE_BYTES = 50e9;

  private static final double DATABASE_ROWS_A_SECOND = 500;

  private final ReplayFigures figures;
  private final Guides guides;
  private final List<Candidate> candidates;
  private final Candidate proposal;
  private final List<String> warnings = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  Remarks(ReplayFigures figures, Guides guides, List<Candidate> candidates, Candidate proposal) {
    this.figures = figures;
    this.guides = guides;
    this.candidates = candidates;
    this.proposal = proposal;
    tooShort();
    hoursMissed();
    peakAtTheEdge();
    bounds();
    emptyBuckets();
    oneDatabase();
    varveKey();
  }

  List<String> warnings() {
    return warnings;
  }

  List<String> notes() {
    return notes;
  }

  private void tooShort() {
    long hours = figures.hoursCovered();
    String covered =
        hours < 2 * HOURS_A_DAY
            ? hours + (hours == 1 ? " hour" : " hours")
            : text("%.1f days", figures.daysCovered());
    if (figures.daysCovered() < 0.5 * hours / HOURS_A_DAY) {
      warnings.add(
          text(
              "Most rows lie within %.1f of the %,.0f days that the sample spans; rates are"
                  + " reckoned from these. Look for wrong clocks.",
              figures.daysCovered(), hours / (double) HOURS_A_DAY));
    }
    if (figures.daysCovered() * HOURS_A_DAY < proposal.width().hours()) {
      warnings.add(
          text(
              "The sample is too short: it covers %s, and the proposed bucket is a %s. What a whole"
                  + " one holds is reckoned from the sample's rate.",
              covered, proposal.width().name().toLowerCase(Locale.ROOT)));
    } else if (figures.daysCovered() < DAYS_A_WEEK - 0.5) {
      warnings.add(
          text(
              "The sample is too short to show a week: it covers %s. A weekday that is busier than"
                  + " these is not in it.",
              covered));
    }
  }

  private void hoursMissed() {
    List<String> missed = new ArrayList<>();
    for (int from = 0; from < HOURS_A_DAY; from++) {
      if (!seen(from)) {
        int to = from;
        while (to + 1 < HOURS_A_DAY && !seen(to + 1)) {
          to++;
        }
        missed.add(text("%02d:00 to %02d:00", from, to + 1));
        from = to;
      }
    }
    if (!missed.isEmpty()) {
      warnings.add(
          "The sample has no rows of these hours of the day: "
              + String.join(", ", missed)
              + " UTC. A peak there is missed.");
    }
  }

  private boolean seen(int hourOfTheDay) {
    return (figures.hoursOfTheDay() >> hourOfTheDay & 1) == 1;
  }

  private void peakAtTheEdge() {
    if (figures.busiestHour().isEmpty() || figures.hoursCovered() < 3) {
      return;
    }
    long busiest = figures.busiestHour().getAsLong();
    double mean = (double) figures.rows() / figures.hoursCovered();
    boolean edge = busiest == figures.firstHour() || busiest == figures.lastHour();
    if (edge && figures.busiestRows() > 1.1 * mean) {
      warnings.add(
          text(
              "The busiest hour, %s with %,d rows, is the %s of the sample: the peak may lie"
                  + " outside.",
              BucketWidth.HOUR.label(busiest),
              figures.busiestRows(),
              busiest == figures.lastHour() ? "last" : "first"));
    }
  }

  /** Says where the bounds of a count and the guide do not decide the same. */
  private void bounds() {
    double most = proposal.fullRows() * proposal.maxRowsAtMost() / proposal.maxRows();
    if (proposal.firstFailing().isEmpty() && most > guides.rows()) {
      warnings.add(
          text(
              "There are more partitions than can be counted one by one: the largest of %s has at"
                  + " least %,d rows and at most %,d, which is over the guide of %,d.",
              proposal.text(), proposal.maxRows(), proposal.maxRowsAtMost(), guides.rows()));
    }
  }

  private void emptyBuckets() {
    KeyFigures key = figures.key(proposal.width());
    Optional<SensorSample.Sparse> found =
        proposal.width() == BucketWidth.HOUR ? figures.key(BucketWidth.DAY).sparse() : key.sparse();
    String unit = proposal.width() == BucketWidth.HOUR ? "day" : name(proposal.width());
    if (found.isPresent() && found.get().sparse() > 0) {
      SensorSample.Sparse sparse = found.get();
      warnings.add(
          text(
              "Sensors%s with most of their buckets empty: %,d of %,d. The most: %s, rows in %,d of"
                  + " %,d %ss. A reader without an index of its buckets reads all the empty ones;"
                  + " give such sensors a wider bucket or keep a list of those that have rows.",
              sparse.all() ? "" : " (of those looked at)",
              sparse.sparse(),
              sparse.looked(),
              sparse.sensor(),
              sparse.occupied(),
              sparse.buckets(),
              unit));
    } else if (proposal.width() != BucketWidth.NONE && key.emptyShare() > 0.5) {
      warnings.add(
          text(
              "%.0f %% of the buckets between the sensors' first and last rows are empty.",
              100 * key.emptyShare()));
    }
  }

  private static String name(BucketWidth width) {
    return width.name().toLowerCase(Locale.ROOT);
  }

  private void oneDatabase() {
    double bytes = figures.bytes() * Math.max(1, guides.keepDays() / figures.daysCovered());
    double rowsASecond = figures.busiestRows() / 3600.0;
    if (figures.busiestHour().isPresent()
        && bytes <= DATABASE_BYTES
        && rowsASecond <= DATABASE_ROWS_A_SECOND) {
      notes.add(
          text(
              "One ordinary database would do: at this rate %d days are %.2f GB, and the busiest"
                  + " hour has %.1f rows a second. Up to 50 GB and 500 rows a second need no key"
                  + " like this.",
              guides.keepDays(), bytes / 1e9, rowsASecond));
    }
  }

  private void varveKey() {
    if (proposal.width() == BucketWidth.DAY) {
      return;
    }
    candidates.stream()
        .filter(c -> c.width() == BucketWidth.DAY && !c.failing().contains(Property.GROWTH))
        .findFirst()
        .ifPresent(
            day ->
                notes.add(
                    text(
                        "Varve's own key is sensor+day: its largest partition stays within the"
                            + " guide with %d shard%s, up to %,.0f rows each.",
                        day.shards(), day.shards() == 1 ? "" : "s", day.fullRows())));
  }

  private static String text(String form, Object... values) {
    return String.format(Locale.ROOT, form, values);
  }
}
