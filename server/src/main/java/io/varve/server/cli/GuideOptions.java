package io.varve.server.cli;

import io.varve.schemas.Durations;
import io.varve.schemas.TimeText;
import io.varve.server.advise.Guides;
import io.varve.server.config.ByteSizes;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options that say what keys are judged against. */
@Command
final class GuideOptions {
  private static final double MICROS_AN_HOUR = 3.6e9;
  private static final double MICROS_A_DAY = 86.4e9;

  @Option(
      names = "--window",
      paramLabel = "DURATION",
      description = "What is mostly asked: this much of one sensor. Default: 24h")
  private Optional<String> window = Optional.empty();

  @Option(names = "--latest", paramLabel = "ROWS", description = "Or: so many of its newest rows.")
  private Optional<Long> latest = Optional.empty();

  @Option(
      names = "--max-touched",
      paramLabel = "COUNT",
      description = "Partitions that one query may touch. Default: 32")
  private int touched = Guides.DEFAULT.touched();

  @Option(
      names = "--guide-rows",
      paramLabel = "ROWS",
      description = "Rows that a partition should not exceed. Default: 100000")
  private long rows = Guides.DEFAULT.rows();

  @Option(
      names = "--guide-bytes",
      paramLabel = "SIZE",
      description = "Bytes that a partition should not exceed. Default: 100MB")
  private String bytes = "100MB";

  @Option(
      names = "--keep",
      paramLabel = "DURATION",
      description = "How long rows are kept, in days. Default: 365d")
  private String keep = "365d";

  Guides guides() throws CommandFailure {
    atLeastOne("--max-touched", touched);
    atLeastOne("--guide-rows", rows);
    OptionalLong size = ByteSizes.parse(bytes);
    if (size.isEmpty() || size.getAsLong() == 0) {
      throw CommandFailure.usage(
          "--guide-bytes must be a size in bytes, " + ByteSizes.UNITS + ": got=" + bytes,
          "for example --guide-bytes 100MB");
    }
    double days = micros("--keep", keep) / MICROS_A_DAY;
    if (days < 1) {
      throw CommandFailure.usage(
          "--keep must be a day at least: got=" + keep, "for example --keep 365d");
    }
    return new Guides(
        rows,
        size.getAsLong(),
        query(),
        touched,
        Guides.DEFAULT.keys(),
        Guides.DEFAULT.skew(),
        Guides.DEFAULT.share(),
        (int) Math.min(Math.ceil(days), Integer.MAX_VALUE));
  }

  private Guides.Query query() throws CommandFailure {
    if (latest.isPresent() && window.isPresent()) {
      throw CommandFailure.usage("--window and --latest exclude each other", "give one of them");
    }
    if (latest.isPresent()) {
      atLeastOne("--latest", latest.get());
      return Guides.Query.latest(latest.get());
    }
    if (window.isEmpty()) {
      return Guides.DEFAULT.query();
    }
    long micros = micros("--window", window.get());
    if (micros == 0) {
      throw CommandFailure.usage("--window must be more than nothing", "for example --window 24h");
    }
    return Guides.Query.range(micros / MICROS_AN_HOUR);
  }

  private static long micros(String option, String text) throws CommandFailure {
    try {
      return Durations.parseMicros(text);
    } catch (TimeText.Invalid e) {
      throw CommandFailure.usage(
          option + " " + e.reason() + ": got=" + text, "for example " + option + " " + e.example());
    }
  }

  private static void atLeastOne(String option, long number) throws CommandFailure {
    if (number < 1) {
      throw CommandFailure.usage(
          option + " must be 1 or more: got=" + number, "for example " + option + " 20");
    }
  }
}
