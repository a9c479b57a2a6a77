package io.varve.query.http;

import io.varve.query.api.Answer;
import io.varve.query.api.Api;
import io.varve.query.api.Body;
import io.varve.query.api.Header;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.QuotedQualityCSV;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;

/** The hand-over between Jetty and {@link Api}: one request in, one answer out. */
final class Exchange extends Handler.Abstract {
  private static final int NO_CONTENT = 204;

  /** Below this, compression costs more than it saves. */
  private static final int MIN_COMPRESSED_BYTES = 1_024;

  private final Api api;

  Exchange(Api api) {
    this.api = api;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws IOException {
    Answer answer = api.answer(new Sent(request));
    response.setStatus(answer.status());
    HttpFields.Mutable fields = response.getHeaders();
    if (!answer.contentType().isEmpty()) {
      fields.put(HttpHeader.CONTENT_TYPE, answer.contentType());
    }
    for (Header header : answer.headers()) {
      fields.add(header.name(), header.value());
    }
    ByteBuffer content =
        answer.status() == NO_CONTENT
            ? ByteBuffer.allocate(0)
            : content(answer.body(), request, fields);
    // The body is this thread's buffer, so the thread stays until it is sent.
    try (Blocker.Callback sent = Blocker.callback()) {
      response.write(true, content, sent);
      sent.block();
    }
    callback.succeeded();
    return true;
  }

  private static ByteBuffer content(Body body, Request request, HttpFields.Mutable fields)
      throws IOException {
    ByteBuffer plain = ByteBuffer.wrap(body.bytes(), 0, body.length());
    HttpFields asked = request.getHeaders();
    boolean choice = asked.contains(HttpHeader.ACCEPT_ENCODING);
    if (choice) {
      fields.add(HttpHeader.VARY, HttpHeader.ACCEPT_ENCODING.asString());
    }
    if (request.getMethod().equals("HEAD")) {
      fields.put(HttpHeader.CONTENT_LENGTH, body.length());
      return ByteBuffer.allocate(0);
    }
    if (!choice || body.length() < MIN_COMPRESSED_BYTES || !acceptsGzip(asked)) {
      fields.put(HttpHeader.CONTENT_LENGTH, body.length());
      return plain;
    }
    ByteArrayOutputStream compressed = new ByteArrayOutputStream(body.length() / 4);
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(body.bytes(), 0, body.length());
    }
    fields.put(HttpHeader.CONTENT_ENCODING, "gzip");
    fields.put(HttpHeader.CONTENT_LENGTH, compressed.size());
    return ByteBuffer.wrap(compressed.toByteArray());
  }

  private static boolean acceptsGzip(HttpFields asked) {
    QuotedQualityCSV encodings = new QuotedQualityCSV();
    asked.getValuesList(HttpHeader.ACCEPT_ENCODING).forEach(encodings::addValue);
    // Those with q=0 are not among the values; a star is no word for a coding that has been named.
    boolean named =
        asked.getValuesList(HttpHeader.ACCEPT_ENCODING).stream()
            .anyMatch(text -> text.toLowerCase(Locale.ROOT).contains("gzip"));
    String wanted = named ? "gzip" : "*";
    return encodings.getValues().stream().anyMatch(wanted::equalsIgnoreCase);
  }

  /** A request as Jetty has it. */
  private record Sent(Request request) implements io.varve.query.api.Request {
    @Override
    public String method() {
      return request.getMethod();
    }

    @Override
    public String path() {
      String path = request.getHttpURI().getPath();
      return path == null ? "" : path;
    }

    @Override
    public String rawQuery() {
      String query = request.getHttpURI().getQuery();
      return query == null ? "" : query;
    }

    @Override
    public Optional<String> header(String name) {
      return Optional.ofNullable(request.getHeaders().get(name));
    }

    @Override
    public InputStream body() {
      return Content.Source.asInputStream(request);
    }
  }
}
