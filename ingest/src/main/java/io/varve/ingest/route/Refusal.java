package io.varve.ingest.route;

/** Why a reading that was decoded is refused. Each has one text, which is also its counter. */
public enum Refusal {
  ID_EMPTY("sensor id is empty", "Give every reading a sensor_id of 1 to 256 UTF-8 bytes."),
  ID_TOO_LONG("sensor id is over 256 bytes", "Shorten sensor_id to at most 256 bytes of UTF-8."),
  ID_CONTROL_CHARACTER(
      "sensor id has control characters",
      "Remove control characters (U+0000 to U+001F, U+007F to U+009F) from sensor_id."),
  ID_NOT_UTF8("sensor id is not UTF-8", "Encode sensor_id as UTF-8."),
  TIMESTAMP_MISSING("timestamp is missing", "Give every reading a timestamp."),
  VALUE_MISSING("value is missing", "Give every reading a value."),
  OUT_OF_RANGE(
      "timestamp is outside years 1 to 9999",
      "Check the timestamp's unit; supported are 0001-01-01 to 9999-12-31."),
  JANUARY_1970(
      "timestamp is in January 1970",
      "Check the timestamp's unit (seconds or millis sent as micros?), or start with --allow-1970."),
  TOO_OLD(
      "timestamp is older than the retention",
      "Send readings before they expire, or start with a longer --retention."),
  TOO_FAR_AHEAD(
      "timestamp is too far in the future",
      "Check the sensor's clock and the timestamp's unit, or start with a longer --max-future.");

  private final String text;
  private final String hint;

  Refusal(String text, String hint) {
    this.text = text;
    this.hint = hint;
  }

  /** The reason as people read it; constant, so that it can be counted by. */
  public String text() {
    return text;
  }

  /** What would fix it, with the option by name. */
  public String hint() {
    return hint;
  }
}
