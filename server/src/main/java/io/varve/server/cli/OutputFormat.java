package io.varve.server.cli;

/** Forms that commands print their data in. */
enum OutputFormat {
  /** Aligned columns for a person. */
  table,
  /** One JSON document. */
  json,
  /** Comma-separated values with a header line. */
  csv
}
