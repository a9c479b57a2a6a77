package io.varve.schemas;

/** Writes the texts of writers' schemas; single quotes stand for double ones. */
final class SchemaTexts {
  static final String MICROS = "{'type':'long','logicalType':'timestamp-micros'}";
  static final String MILLIS = "{'type':'long','logicalType':'timestamp-millis'}";

  private SchemaTexts() {}

  /** Returns a record schema with the fields given, each as {@code 'name':…,'type':…}. */
  static String schema(String name, String... fields) {
    return ("{'type':'record','name':'"
            + name
            + "','fields':[{"
            + String.join("},{", fields)
            + "}]}")
        .replace('\'', '"');
  }

  static String plain(String name, String timestampType) {
    return schema(
        name,
        "'name':'sensor_id','type':'string'",
        "'name':'timestamp','type':" + timestampType,
        "'name':'value','type':'double'",
        "'name':'sequence','type':'long','default':0");
  }
}
