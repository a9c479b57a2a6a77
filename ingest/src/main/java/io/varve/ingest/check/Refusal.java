package io.varve.ingest.check;

/**
 * Why a reading that was decoded is refused. The texts are stable, since counters, the ledger and
 * dead letters carry them.
 */
public enum Refusal {
  ID_EMPTY("id-empty", "sensor_id is empty", "give each reading a sensor_id of 1 to 256 bytes"),
  ID_MISSING("id-missing", "sensor_id is missing", "give each reading a sensor_id"),
  ID_TOO_LONG(
      "id-too-long", "sensor_id is over 256 bytes", "shorten sensor_id to 256 bytes of UTF-8"),
  ID_CONTROL_CHARACTER(
      "id-control-character",
      "sensor_id has a control character",
      "remove U+0000 to U+001F and U+007F to U+009F from sensor_id"),
  ID_NOT_UTF8("id-not-utf8", "sensor_id is not UTF-8", "encode sensor_id as UTF-8"),
  TIMESTAMP_MISSING("timestamp-missing", "timestamp is missing", "give each reading a timestamp"),
  VALUE_MISSING("value-missing", "value is missing", "give each reading a value"),
  OUT_OF_RANGE(
      "timestamp-out-of-range",
      "timestamp is outside the years 1 to 9999",
      "check the timestamp's unit: Avro takes microseconds, or milliseconds as SensorReadingMillis"),
  JANUARY_1970(
      "timestamp-in-january-1970",
      "timestamp is in January 1970, nearly always a unit mistake",
      "check the timestamp's unit (seconds or milliseconds sent as microseconds?), or start with"
          + " --allow-1970"),
  TOO_OLD(
      "timestamp-too-old",
      "timestamp is older than the retention",
      "send readings before they expire, or start with a longer --retention"),
  TOO_FAR_AHEAD(
      "timestamp-too-far-ahead",
      "timestamp is too far in the future",
      "check the sensor's clock and the timestamp's unit, or start with a longer --max-future"),
  BAD_FIELD("bad-field", "a field has a wrong kind", "see the message");

  private final String text;
  private final String detail;
  private final String hint;

  Refusal(String text, String detail, String hint) {
    this.text = text;
    this.detail = detail;
    this.hint = hint;
  }

  /** The reason as counters, the ledger and the header {@code varve.reason} write it. */
  public String text() {
    return text;
  }

  /** The reason as people read it. */
  public String detail() {
    return detail;
  }

  /** What would fix it, with the option by name. */
  public String hint() {
    return hint;
  }
}
