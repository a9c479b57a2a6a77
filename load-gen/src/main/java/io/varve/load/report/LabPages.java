package io.varve.load.report;

import io.varve.load.json.Json;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
    Files.createDirectories(folder);
    try (Writer out =
        Files.newBufferedWriter(folder.resolve("lab-pages.json"), StandardCharsets.UTF_8)) {
      Json.write(tree, out);
    }
    Files.writeString(folder.resolve("lab-pages.html"), page(tree, strips));
  }

  private static String page(Map<String, Object> tree, List<Strip> strips) {
    StringBuilder page = Html.begin("How many pages hold the latest rows of one key?");
    page.append("<p>The latest ")
        .append(Html.escape(Tree.text(Tree.object(tree, "model"), "latest")));
    page.append(" rows of one key; a mark is a page that is touched.</p>\n");
    for (Strip strip : strips) {
      strip(page, strip);
    }
    table(page, "The model", Tree.list(tree, "figures"));
    table(page, "The same rows in a store", Tree.list(tree, "store"));
    table(page, "Buckets of a day and of a month", Tree.list(tree, "buckets"));
    page.append("<ul>\n");
    for (Object note : Tree.list(tree, "notes")) {
      page.append("<li>").append(Html.escape(note.toString())).append("</li>\n");
    }
    return page.append("</ul></body></html>\n").toString();
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

  private static void table(StringBuilder page, String title, List<?> rows) {
    if (rows.isEmpty()) {
      return;
    }
    page.append("<h2>").append(Html.escape(title)).append("</h2>\n<table><tr>");
    Map<?, ?> first = (Map<?, ?>) rows.get(0);
    for (Object column : first.keySet()) {
      page.append("<th>").append(Html.escape(column.toString())).append("</th>");
    }
    page.append("</tr>\n");
    for (Object row : rows) {
      page.append("<tr>");
      for (Object value : ((Map<?, ?>) row).values()) {
        page.append("<td>").append(Html.escape(value.toString())).append("</td>");
      }
      page.append("</tr>\n");
    }
    page.append("</table>\n");
  }
}
