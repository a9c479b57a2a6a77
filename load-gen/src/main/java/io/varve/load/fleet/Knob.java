package io.varve.load.fleet;

import java.util.Locale;
import java.util.Optional;

/** One setting of a profile: a line {@code name = value} of its file, or {@code --name value}. */
public enum Knob {
  SENSORS(Form.COUNT, "10000", "sensors of the fleet, at most 1M"),
  RATE(Form.COUNT, "10k", "first-time readings a second of all sensors; repeats come on top"),
  PACES(Form.COUNTS, "1", "how often sensors report, relative to each other, dealt in turn"),
  JITTER(Form.SHARE, "20%", "part of its period by which a reading may come later than its place"),
  RESOLUTION(Form.DURATION, "1ms", "what timestamps are cut to; equal ones get sequences"),
  SPEED(Form.COUNT, "1", "how much faster the sensors' clocks run than the sending, at most 1000"),
  HOT_SENSORS(Form.COUNT, "0", "sensors that share hot-share evenly"),
  HOT_SHARE(Form.SHARE, "0%", "part of all readings that comes from the hot sensors"),
  ZIPF(Form.DECIMAL, "0", "exponent: sensor n reports as 1 / n^zipf; 0 is even"),
  DAILY_CYCLE(Form.SHARE, "100%", "part of its full swing that values make in a day"),
  LATE_SHARE(Form.SHARE, "0%", "readings that are sent after their time, one by one"),
  LATE_FROM(Form.DURATION, "5s", "least delay of late readings"),
  LATE_TO(Form.DURATION, "30s", "delay that late readings stay below"),
  OFFLINE_SHARE(Form.SHARE, "0%", "sensors that are offline once in each offline-every"),
  OFFLINE_EVERY(Form.DURATION, "60s", "time in which a sensor is offline at most once"),
  OFFLINE_FOR(Form.DURATION, "20s", "how long, until all that was held comes at once"),
  OFFLINE_TOGETHER(Form.SWITCH, "no", "whether they all go at the same moment"),
  RETURN_SPREAD(Form.DURATION, "1s", "time over which those that went together come back"),
  RESEND_SHARE(Form.SHARE, "0%", "readings that come twice: all of a gateway within 100 ms"),
  RESEND_AFTER(Form.DURATION, "2s", "time between the two"),
  CORRECTION_SHARE(Form.SHARE, "0%", "readings whose value is replaced later"),
  CORRECTION_AFTER(Form.DURATION, "5s", "how much later; more than resend-after"),
  SKEW_SHARE(Form.SHARE, "0%", "sensors with a wrong clock"),
  SKEW(Form.DURATION, "5m", "how far such clocks are off at most, either way; at most 50m"),
  POISON_SHARE(Form.SHARE, "0%", "bad records for each reading: undecodable or against a rule"),
  SCHEMA_CHANGE_AFTER(
      Form.DURATION, "0s", "when every other gateway begins to write milliseconds; 0s is never"),
  GATEWAY_SENSORS(Form.COUNT, "100", "sensors of one gateway"),
  GATEWAY_SHARE(Form.SHARE, "100%", "gateways that batch; sensors of the others send themselves"),
  BATCH(Form.COUNT, "1", "readings that a gateway sends in one record; 1 is no batching"),
  COLLECT(Form.DURATION, "1s", "time after which a gateway sends what it has");

  /** How the value of a knob is written. */
  public enum Form {
    /** A whole number, with k or M for thousands and millions. */
    COUNT("a whole number, k and M allowed", "10k"),
    /** Whole numbers from 1, separated by spaces. */
    COUNTS("whole numbers above 0, separated by spaces", "1 2 10"),
    /** A part of a whole. */
    SHARE("a share, 0% to 100% or 0 to 1", "2%"),
    /** A number of 0 or more with decimals. */
    DECIMAL("a number of 0 or more", "1.1"),
    /** A time with units. */
    DURATION("a time with units", "1m30s"),
    /** Yes or no. */
    SWITCH("yes or no", "yes");

    private final String words;
    private final String example;

    Form(String words, String example) {
      this.words = words;
      this.example = example;
    }
  }

  private final Form form;
  private final String otherwise;
  private final String meaning;

  Knob(Form form, String otherwise, String meaning) {
    this.form = form;
    this.otherwise = otherwise;
    this.meaning = meaning;
  }

  /** The name in files, and after {@code --} on the command line. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What it decides, in one line. */
  public String meaning() {
    return meaning;
  }

  /** The value where none is given. */
  public String otherwise() {
    return otherwise;
  }

  /** How a value is written, in words. */
  public String form() {
    return form.words;
  }

  /** Finds a knob by its name in files. */
  static Optional<Knob> named(String text) {
    for (Knob knob : values()) {
      if (knob.text().equals(text)) {
        return Optional.of(knob);
      }
    }
    return Optional.empty();
  }

  /**
   * Checks a value.
   *
   * @param where what it was read from, for the message
   */
  void check(String value, String where) throws InvalidProfileException {
    if (!understood(value)) {
      throw new InvalidProfileException(
          where + ": " + text() + " must be " + form.words + ": got=" + value,
          "for example " + text() + " = " + form.example);
    }
  }

  private boolean understood(String value) {
    return switch (form) {
      case COUNT -> KnobText.count(value).isPresent();
      case COUNTS -> KnobText.counts(value).isPresent();
      case SHARE -> KnobText.share(value).isPresent();
      case DECIMAL -> KnobText.decimal(value).isPresent();
      case DURATION -> KnobText.nanos(value).isPresent();
      case SWITCH -> value.equals("yes") || value.equals("no");
    };
  }
}
