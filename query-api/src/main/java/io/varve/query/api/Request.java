package io.varve.query.api;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** One HTTP request, as far as answers depend on it. */
public interface Request {
  String method();

  /** Path as it was sent, still percent-encoded. */
  String path();

  /** Query as it was sent, without the question mark; empty when there is none. */
  String rawQuery();

  /** Value of a header field; the first one where it is repeated. */
  Optional<String> header(String name);

  /** The body as it was sent. */
  InputStream body() throws IOException;
}
