package io.varve.schemas;

import org.apache.avro.SystemLimitException;

/**
 * The limits that Avro itself keeps while it decodes, far above what a record of readings needs and
 * far below what hurts.
 *
 * <p>Avro reads them from system properties when it decodes for the first time, so they are set
 * before any schema of this package is used; a value that the operator gave stays. They are a
 * second line: {@link DatumGuard} has already measured what reaches Avro's decoder.
 */
final class AvroLimits {
  private static final int MAX_BYTES = 8 << 20;
  private static final int MAX_ITEMS = 1 << 20;

  private AvroLimits() {}

  static void set() {
    setIfAbsent(SystemLimitException.MAX_BYTES_LENGTH_PROPERTY, MAX_BYTES);
    setIfAbsent(SystemLimitException.MAX_STRING_LENGTH_PROPERTY, MAX_BYTES);
    setIfAbsent(SystemLimitException.MAX_COLLECTION_LENGTH_PROPERTY, MAX_ITEMS);
  }

  private static void setIfAbsent(String property, int limit) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(limit));
    }
  }
}
