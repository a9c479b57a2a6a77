package io.varve.query.api;

import io.varve.query.api.Problem.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The formats of answers with rows. */
enum Format {
  JSON("json", "application/json"),
  NDJSON("ndjson", "application/x-ndjson"),
  CSV("csv", "text/csv");

  private static final List<Format> ALL = List.of(values());

  private final String text;
  private final String mediaType;

  Format(String text, String mediaType) {
    this.text = text;
    this.mediaType = mediaType;
  }

  String contentType() {
    return this == CSV ? "text/csv; charset=utf-8; header=present" : mediaType;
  }

  /** Returns the format that the parameter {@code format} asks for, else the one of Accept. */
  static Format of(Parameters parameters, Request request) {
    Optional<String> asked = parameters.get("format");
    if (asked.isEmpty()) {
      return ofAccept(request.header("Accept").orElse("*/*"));
    }
    return ALL.stream()
        .filter(format -> format.text.equals(asked.get()))
        .findFirst()
        .orElseGet(
            () -> {
              parameters.fault("format", "is none of json, ndjson, csv", "format=csv");
              return JSON;
            });
  }

  /**
   * Returns the best format for an Accept header (RFC 9110, section 12.5.1); JSON where several are
   * equally good.
   *
   * @throws ProblemException if it allows none of them
   */
  static Format ofAccept(String accept) {
    if (accept.equals("*/*") || accept.equals(JSON.mediaType)) {
      return JSON;
    }
    Format best = JSON;
    double bestQuality = 0;
    for (Format format : ALL) {
      double quality = format.quality(accept);
      if (quality > bestQuality) {
        best = format;
        bestQuality = quality;
      }
    }
    if (bestQuality == 0) {
      throw new ProblemException(
          Problem.of(
              Kind.NOT_ACCEPTABLE,
              "Answers come as application/json, application/x-ndjson or text/csv; send one of"
                  + " these in Accept, or format=json, ndjson or csv in the query."));
    }
    return best;
  }

  /** The weight that the most specific matching range gives to this format. */
  private double quality(String accept) {
    double quality = 0;
    int specificity = 0;
    for (String part : accept.split(",", -1)) {
      String[] fields = part.split(";", -1);
      int matched = match(fields[0].strip().toLowerCase(Locale.ROOT));
      if (matched > specificity) {
        specificity = matched;
        quality = weight(fields);
      }
    }
    return quality;
  }

  private int match(String range) {
    String type = mediaType.substring(0, mediaType.indexOf('/'));
    if (range.equals(mediaType) || (this == NDJSON && range.equals("application/ndjson"))) {
      return 3;
    }
    return range.equals(type + "/*") ? 2 : range.equals("*/*") ? 1 : 0;
  }

  private static double weight(String[] fields) {
    for (int i = 1; i < fields.length; i++) {
      String field = fields[i].strip();
      if (field.startsWith("q=") || field.startsWith("Q=")) {
        try {
          return Math.min(1, Math.max(0, Double.parseDouble(field.substring(2))));
        } catch (NumberFormatException e) {
          return 0;
        }
      }
    }
    return 1;
  }
}
