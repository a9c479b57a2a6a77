package io.varve.load.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The files of a lab of pages: {@code lab-pages.html} and {@code lab-pages.json}. */
public final class LabPages {
  private static final int WIDTH = 860;
  private static final int STRIP_HEIGHT = 36;

  private LabPages() {}

  /**
   * A strip of the pages of one layout.
   *
   * @param name what is shown
   * @param pages pages there are
   * @param touched those that are touched, by number
   */
  public record Strip(String name, int pages, int[] touched) {}

  /**
   * Writes both files; the folder is made where it is missing.
   *
   * @param tree what {@code -o json} prints
   */
  public static void write(Path folder, Map<String, Object> tree, List<Strip> strips)
      throws IOException {
    ReportFolder.write(folder, "lab-pages", tree, page(tree, strips));
  }

  private static String page(Map<String, Object> tree, List<Strip> strips) {
    StringBuilder page = Html.begin("How many pages hold the latest rows of one key?");
    page.append("<p>The latest ")
        .append(Html.escape(Tree.text(Tree.object(tree, "model"), "latest")));
    page.append(" rows of one key; a mark is a page that is touched.</p>\n");
    for (Strip strip : strips) {
      strip(page, strip);
    }
    Html.table(page, "The model", Tree.list(tree, "figures"));
    Html.table(page, "The same rows in a store", Tree.list(tree, "store"));
    Html.table(page, "Buckets of a day and of a month", Tree.list(tree, "buckets"));
    return Html.end(page, Tree.list(tree, "notes"));
  }

  private static void strip(StringBuilder page, Strip strip) {
    page.append(
        String.format(
            Locale.ROOT,
            "<p>%s: %d of %,d pages</p>%n<svg viewBox=\"0 0 %d %d\" role=\"img\">"
                + "<rect width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#9ca3af\"/>",
            Html.escape(strip.name()),
            strip.touched().length,
            strip.pages(),
            WIDTH,
            STRIP_HEIGHT,
            WIDTH,
            STRIP_HEIGHT));
    for (int touched : strip.touched()) {
      page.append(
          String.format(
              Locale.ROOT,
              "<rect x=\"%.1f\" y=\"2\" width=\"2\" height=\"%d\" fill=\"#dc2626\"/>",
              (double) touched / strip.pages() * (WIDTH - 2),
              STRIP_HEIGHT - 4));
    }
    page.append("</svg>\n");
  }
}
