package io.varve.load.lab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Rows of one size on pages of one size, laid out in two ways, and how many pages readers touch.
 *
 * <p>Layout A keeps rows in their order of arrival and finds them by an index of (key, time);
 * layout B keeps them grouped by key, the newest first, without gaps, and finds a key's first page
 * by an index of pages. Index entries fill their pages. Pages carry no metadata. Each row belongs
 * to a key drawn at random and to a moment drawn at random of one year; rows arrive in random
 * order.
 *
 * <p>A reader asks for the newest rows of a key drawn at random, or for its rows of March. Rows
 * examined count from the start of the first page touched to the range's edge, the row that shows
 * the edge included.
 */
public final class PagesModel {
  /** First moment of March and the one after its last, as parts of a year of 365 days. */
  private static final double MARCH_FROM = 59 / 365.0;

  private static final double MARCH_TO = 90 / 365.0;

  private final PagesSettings settings;
  private final SplittableRandom random;

  /** First place of each key's rows in layout B, and the place after the last key's. */
  private final int[] starts;

  /** By place in layout B: the moment of the row, as a part of the year. */
  private final double[] moments;

  /** By place in layout B: the row's place in layout A. */
  private final int[] arrivals;

  /**
   * Lays the rows out.
   *
   * @param seed what all draws follow from
   */
  public PagesModel(PagesSettings settings, long seed) {
    this.settings = settings;
    this.random = new SplittableRandom(seed);
    this.starts = drawKeys();
    this.moments = drawMoments();
    this.arrivals = shuffled(settings.rows());
  }

  private int[] drawKeys() {
    int[] sums = new int[settings.keys() + 1];
    for (int i = 0; i < settings.rows(); i++) {
      sums[random.nextInt(settings.keys()) + 1]++;
    }
    for (int key = 0; key < settings.keys(); key++) {
      sums[key + 1] += sums[key];
    }
    return sums;
  }

  /** Draws each key's moments; they stand newest first. */
  private double[] drawMoments() {
    double[] all = new double[settings.rows()];
    for (int key = 0; key < settings.keys(); key++) {
      int from = starts[key];
      int to = starts[key + 1];
      for (int i = from; i < to; i++) {
        all[i] = -random.nextDouble();
      }
      Arrays.sort(all, from, to);
      for (int i = from; i < to; i++) {
        all[i] = -all[i];
      }
    }
    return all;
  }

  private int[] shuffled(int count) {
    int[] places = new int[count];
    Arrays.setAll(places, i -> i);
    for (int i = count - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int place = places[i];
      places[i] = places[other];
      places[other] = place;
    }
    return places;
  }

  /** Lets readers ask, each of them both questions, and returns what they met on average. */
  public PagesFigures ask() {
    PagesFigures.Sums sums = new PagesFigures.Sums();
    for (int reader = 0; reader < settings.readers(); reader++) {
      int key = random.nextInt(settings.keys());
      newest(key, sums);
      march(key, sums);
    }
    return sums.means(settings.readers());
  }

  private void newest(int key, PagesFigures.Sums sums) {
    int from = starts[key];
    int to = Math.min(starts[key + 1], from + settings.latest());
    int pages = pagesInArrivalOrder(from, to);
    sums.pagesA += pages;
    sums.rowsOnPagesA += (long) pages * settings.rowsAPage();
    sums.indexPagesA += indexPages(settings.rows(), from, to);
    int grouped = pagesGrouped(from, to);
    sums.pagesB += grouped;
    sums.rowsOnPagesB += (long) grouped * settings.rowsAPage();
    int page = from / settings.rowsAPage();
    sums.indexPagesB += indexPages(settings.dataPages(), page, page + 1);
  }

  private void march(int key, PagesFigures.Sums sums) {
    int from = starts[key];
    while (from < starts[key + 1] && moments[from] >= MARCH_TO) {
      from++;
    }
    int to = from;
    while (to < starts[key + 1] && moments[to] >= MARCH_FROM) {
      to++;
    }
    sums.marchRows += to - from;
    sums.marchPagesA += pagesInArrivalOrder(from, to);
    sums.marchExaminedA += to - from;
    sums.marchPagesB += pagesGrouped(from, to);
    if (to > from) {
      int edge = to < settings.rows() ? 1 : 0;
      sums.marchExaminedB += to - from / settings.rowsAPage() * settings.rowsAPage() + edge;
    }
  }

  private int pagesInArrivalOrder(int from, int to) {
    int[] pages = new int[to - from];
    for (int i = from; i < to; i++) {
      pages[i - from] = arrivals[i] / settings.rowsAPage();
    }
    return (int) Arrays.stream(pages).distinct().count();
  }

  private int pagesGrouped(int from, int to) {
    return to == from ? 0 : (to - 1) / settings.rowsAPage() - from / settings.rowsAPage() + 1;
  }

  /** Pages of an index of so many entries that are met on the way to a run of them. */
  private int indexPages(int entries, int from, int to) {
    int pages = 0;
    int first = from;
    int last = Math.max(from, to - 1);
    int level = entries;
    while (level > 1) {
      first /= settings.entriesAPage();
      last /= settings.entriesAPage();
      level = (level + settings.entriesAPage() - 1) / settings.entriesAPage();
      // Only the leaves are walked along; above them one page leads down.
      pages += pages == 0 ? last - first + 1 : 1;
    }
    return pages;
  }

  /** One row of the model. */
  public record Row(int key, double moment) {}

  /**
   * The rows of the first keys by their moments, the oldest first.
   *
   * @param keys how many keys, of which the model has as many or more
   */
  public List<Row> byTime(int keys) {
    List<Row> rows = new ArrayList<>(starts[keys]);
    for (int key = 0; key < keys; key++) {
      for (int i = starts[key]; i < starts[key + 1]; i++) {
        rows.add(new Row(key, moments[i]));
      }
    }
    rows.sort(Comparator.comparingDouble(Row::moment));
    return rows;
  }

  /**
   * How many even parts of the year the latest rows of a key lie in, on average over all keys: as
   * many buckets of that width are read for them.
   */
  public double partsOfLatest(int parts) {
    long sum = 0;
    for (int key = 0; key < settings.keys(); key++) {
      int to = Math.min(starts[key + 1], starts[key] + settings.latest());
      int last = -1;
      for (int i = starts[key]; i < to; i++) {
        int part = (int) (moments[i] * parts);
        sum += part == last ? 0 : 1;
        last = part;
      }
    }
    return (double) sum / settings.keys();
  }

  /** The pages that latest rows of one key lie on, for a drawing: in layout A, then in B. */
  public List<int[]> strip(int key) {
    int from = starts[key];
    int to = Math.min(starts[key + 1], from + settings.latest());
    int[] a = new int[to - from];
    int[] b = new int[to - from];
    for (int i = from; i < to; i++) {
      a[i - from] = arrivals[i] / settings.rowsAPage();
      b[i - from] = i / settings.rowsAPage();
    }
    return List.of(
        Arrays.stream(a).distinct().sorted().toArray(),
        Arrays.stream(b).distinct().sorted().toArray());
  }
}
