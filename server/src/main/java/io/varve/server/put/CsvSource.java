package io.varve.server.put;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One file to put, or standard input.
 *
 * @param label name in messages
 * @param path the file; empty for standard input
 * @param sensor sensor of all its rows; empty when a column names it
 */
public record CsvSource(String label, Optional<Path> path, Optional<String> sensor) {

  InputStream open() throws IOException {
    return path.isPresent() ? Files.newInputStream(path.get()) : System.in;
  }
}
