package io.varve.query.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Addresses that answers point to. */
final class Links {
  private Links() {}

  /** Percent-encodes a parameter's name or value; everything but unreserved ASCII is encoded. */
  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Returns the same query with another page token, as a relative reference. */
  static String next(String path, String rawQuery, String pageToken) {
    StringBuilder link = new StringBuilder(path).append('?');
    for (String pair : rawQuery.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = Parameters.decode(equals < 0 ? pair : pair.substring(0, equals)).orElse("");
      Optional<String> value = Parameters.decode(equals < 0 ? "" : pair.substring(equals + 1));
      if (!name.isEmpty() && !name.equals("page_token")) {
        link.append(encode(name)).append('=').append(encode(value.orElse(""))).append('&');
      }
    }
    return link.append("page_token=").append(pageToken).toString();
  }

  /** The Link header field of a page that has a next one. */
  static Header nextHeader(String path, String rawQuery, String pageToken) {
    return new Header("Link", "<" + next(path, rawQuery, pageToken) + ">; rel=\"next\"");
  }
}
