package io.varve.query.api;

/**
 * One header field of an answer.
 *
 * @param name field name
 * @param value printable ASCII
 */
public record Header(String name, String value) {
  public Header {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < ' ' || value.charAt(i) > '~') {
        throw new IllegalArgumentException("header value is not printable ASCII: name=" + name);
      }
    }
  }
}
