package io.varve.load.lab;

import io.varve.load.target.Queries;
import io.varve.load.target.QueryException;
import io.varve.load.target.RowPage;
import io.varve.load.target.RowsQuery;
import io.varve.load.target.Target;
import io.varve.load.target.TargetException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Puts the rows of a model into a node and asks it what the model's readers ask. */
public final class StoreLab {
  private static final int BATCH = 100;
  private static final int GATEWAYS = 16;

  private final Target target;
  private final String prefix;

  /**
   * @param prefix first part of the sensor ids, which no one else uses
   */
  public StoreLab(Target target, String prefix) {
    this.target = target;
    this.prefix = prefix;
  }

  private String sensor(int key) {
    return prefix + key;
  }

  /**
   * Sends rows and waits until they are stored.
   *
   * @param fromMicros first instant of the span that the model's year is squeezed into
   * @param spanMicros length of that span
   * @throws TargetException if the node can't be fed, or stores none of them for a minute
   */
  public void fill(List<PagesModel.Row> rows, long fromMicros, long spanMicros)
      throws TargetException, QueryException {
    try (RowFeed feed = new RowFeed(target)) {
      for (int i = 0; i < rows.size(); i++) {
        PagesModel.Row row = rows.get(i);
        // The place among all rows as sequence: two of a key may fall on one microsecond.
        feed.add(
            sensor(row.key()), fromMicros + (long) (row.moment() * spanMicros), i, row.moment());
        if (feed.waiting() == BATCH || i == rows.size() - 1) {
          feed.send("lab-" + i / BATCH % GATEWAYS);
        }
      }
      feed.awaitStored();
    }
  }

  /**
   * Asks for the latest rows of keys drawn at random.
   *
   * @param keys keys that were filled in
   */
  public StoreFigures latest(int keys, int readers, int latest, long seed) throws QueryException {
    return ask(keys, readers, seed, OptionalLong.empty(), OptionalLong.empty(), latest);
  }

  /** Asks for all rows of {@code [fromMicros, toMicros)} of keys drawn at random. */
  public StoreFigures range(int keys, int readers, long fromMicros, long toMicros, long seed)
      throws QueryException {
    return ask(keys, readers, seed, OptionalLong.of(fromMicros), OptionalLong.of(toMicros), 10_000);
  }

  private StoreFigures ask(
      int keys, int readers, long seed, OptionalLong from, OptionalLong to, int limit)
      throws QueryException {
    SplittableRandom random = new SplittableRandom(seed);
    RowPage page = new RowPage();
    long rows = 0;
    long blocks = 0;
    long decoded = 0;
    try (Queries queries = target.openQueries()) {
      for (int reader = 0; reader < readers; reader++) {
        RowsQuery query = new RowsQuery(sensor(random.nextInt(keys)), from, to, true, limit);
        queries.rows(query, Optional.empty(), page);
        rows += page.size();
        blocks += page.blocks();
        decoded += page.rowsDecoded();
      }
    }
    return new StoreFigures(
        (double) rows / readers, (double) blocks / readers, (double) decoded / readers);
  }
}
