package io.varve.query.plan;

import java.util.Locale;

/** What a bucket says of its rows. The rules for NaN, infinities and −0.0 are on {@link Bucket}. */
public enum Aggregate {
  AVG,
  MIN,
  MAX,
  SUM,
  COUNT,
  FIRST,
  LAST;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** The name in requests and answers. */
  public String text() {
    return text;
  }
}
