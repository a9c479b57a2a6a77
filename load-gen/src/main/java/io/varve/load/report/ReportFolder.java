package io.varve.load.report;

import io.varve.load.json.Json;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A folder with one result, as JSON and as a page. */
final class ReportFolder {
  private ReportFolder() {}

  /** Writes {@code name.json} and {@code name.html}; the folder is made where it is missing. */
  static void write(Path folder, String name, Map<String, Object> tree, String page)
      throws IOException {
    Files.createDirectories(folder);
    try (Writer out =
        Files.newBufferedWriter(folder.resolve(name + ".json"), StandardCharsets.UTF_8)) {
      Json.write(tree, out);
    }
    Files.writeString(folder.resolve(name + ".html"), page);
  }
}
