package io.varve.load.fleet;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a fleet is like: a value for each {@link Knob}, checked one by one and together. Immutable.
 */
public final class Profile {
  private static final long MAX_SENSORS = 1_000_000;
  private static final long MAX_SKEW_NANOS = 50L * 60 * 1_000_000_000;
  private static final long NANOS_A_MILLI = 1_000_000;

  private final String name;
  private final String shows;
  private final Map<Knob, String> values;

  private Profile(String name, String shows, Map<Knob, String> values) {
    this.name = name;
    this.shows = shows;
    this.values = values;
  }

  /**
   * Makes a profile.
   *
   * @param shows what it is for, in a sentence
   * @param given values that differ from the knobs' own
   * @throws InvalidProfileException if a value is not understood, or two contradict each other
   */
  public static Profile of(String name, String shows, Map<Knob, String> given)
      throws InvalidProfileException {
    Map<Knob, String> values = new EnumMap<>(Knob.class);
    for (Knob knob : Knob.values()) {
      String value = given.getOrDefault(knob, knob.otherwise());
      knob.check(value, "profile " + name);
      values.put(knob, value);
    }
    Profile profile = new Profile(name, shows, values);
    profile.checkTogether();
    return profile;
  }

  /** Returns this profile with some values replaced. */
  public Profile with(Map<Knob, String> replaced) throws InvalidProfileException {
    Map<Knob, String> all = new EnumMap<>(values);
    all.putAll(replaced);
    return of(name, shows, all);
  }

  /** The name it is called by. */
  public String name() {
    return name;
  }

  /** What it is for, in a sentence. */
  public String shows() {
    return shows;
  }

  /** All values as they are written, by the names of their knobs. */
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    values.forEach((knob, value) -> settings.put(knob.text(), value));
    return settings;
  }

  private String text(Knob knob) {
    return values.getOrDefault(knob, knob.otherwise());
  }

  /** The value of a knob that counts. */
  public long count(Knob knob) {
    return KnobText.count(text(knob)).orElseThrow();
  }

  long[] counts(Knob knob) {
    return KnobText.counts(text(knob)).orElseThrow();
  }

  double share(Knob knob) {
    return KnobText.share(text(knob)).orElseThrow();
  }

  double decimal(Knob knob) {
    return KnobText.decimal(text(knob)).orElseThrow();
  }

  /** The value of a knob that is a time. */
  public long nanos(Knob knob) {
    return KnobText.nanos(text(knob)).orElseThrow();
  }

  boolean on(Knob knob) {
    return text(knob).equals("yes");
  }

  private void checkTogether() throws InvalidProfileException {
    within(Knob.SENSORS, 1, MAX_SENSORS);
    within(Knob.RATE, 1, 100_000_000);
    within(Knob.SPEED, 1, 1_000);
    within(Knob.GATEWAY_SENSORS, 1, MAX_SENSORS);
    within(Knob.BATCH, 1, 10_000);
    require(
        nanos(Knob.RESOLUTION) >= 1_000 && nanos(Knob.RESOLUTION) <= 1_000 * NANOS_A_MILLI,
        "resolution must be 1us to 1s",
        "for example resolution = 1ms");
    require(decimal(Knob.ZIPF) <= 3, "zipf must be at most 3", "for example zipf = 1.1");
    require(
        count(Knob.HOT_SENSORS) <= count(Knob.SENSORS),
        "hot-sensors must not be more than sensors",
        "lower hot-sensors, or raise sensors");
    require(
        (count(Knob.HOT_SENSORS) == 0) == (share(Knob.HOT_SHARE) == 0),
        "hot-sensors and hot-share go together: one without the other means nothing",
        "for example hot-sensors = 1 and hot-share = 50%");
    require(
        decimal(Knob.ZIPF) == 0 || count(Knob.HOT_SENSORS) == 0,
        "zipf and hot-sensors exclude each other",
        "set one of them to 0");
    require(
        share(Knob.HOT_SHARE) < 1 || count(Knob.HOT_SENSORS) == count(Knob.SENSORS),
        "hot-share of 100% leaves nothing for the other sensors",
        "lower hot-share");
    require(
        nanos(Knob.LATE_FROM) < nanos(Knob.LATE_TO),
        "late-from must be less than late-to",
        "for example late-from = 5s and late-to = 30s");
    require(
        nanos(Knob.OFFLINE_EVERY) >= NANOS_A_MILLI
            && nanos(Knob.OFFLINE_FOR) + nanos(Knob.RETURN_SPREAD) < nanos(Knob.OFFLINE_EVERY),
        "offline-for and return-spread together must be less than offline-every",
        "raise offline-every");
    require(
        nanos(Knob.RESEND_AFTER) < nanos(Knob.CORRECTION_AFTER),
        "correction-after must be more than resend-after, or a repeat would undo a correction",
        "raise correction-after");
    require(
        nanos(Knob.SKEW) <= MAX_SKEW_NANOS,
        "skew must be at most 50m: a node refuses what is an hour ahead",
        "for example skew = 5m");
    require(
        nanos(Knob.SCHEMA_CHANGE_AFTER) == 0 || nanos(Knob.RESOLUTION) % NANOS_A_MILLI == 0,
        "schema-change-after needs a resolution of whole milliseconds",
        "for example resolution = 1ms");
  }

  private void within(Knob knob, long min, long max) throws InvalidProfileException {
    require(
        count(knob) >= min && count(knob) <= max,
        knob.text() + " must be " + min + " to " + max + ": got=" + text(knob),
        "for example " + knob.text() + " = " + knob.otherwise());
  }

  private void require(boolean holds, String otherwise, String whatToDo)
      throws InvalidProfileException {
    if (!holds) {
      throw new InvalidProfileException("profile " + name + ": " + otherwise, whatToDo);
    }
  }
}
