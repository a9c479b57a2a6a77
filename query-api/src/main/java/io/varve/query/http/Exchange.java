package io.varve.query.http;

import io.javalin.http.Context;
import io.varve.query.api.Answer;
import io.varve.query.api.Api;
import io.varve.query.api.Body;
import io.varve.query.api.Header;
import io.varve.query.api.Request;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** The hand-over between Javalin and {@link Api}: one request in, one answer out. */
final class Exchange {
  private static final int NO_CONTENT = 204;

  private final Api api;

  Exchange(Api api) {
    this.api = api;
  }

  /** Answers a request whole; nothing of Javalin's routing comes after it. */
  void answer(Context context) throws IOException {
    context.skipRemainingHandlers();
    Answer answer = api.answer(new Sent(context.req()));
    HttpServletResponse response = context.res();
    response.setStatus(answer.status());
    if (!answer.contentType().isEmpty()) {
      response.setContentType(answer.contentType());
    }
    for (Header header : answer.headers()) {
      response.addHeader(header.name(), header.value());
    }
    if (answer.status() != NO_CONTENT) {
      write(answer.body(), context, response);
    }
  }

  private static void write(Body body, Context context, HttpServletResponse response)
      throws IOException {
    if (context.req().getMethod().equals("HEAD")) {
      response.setContentLength(body.length());
    } else if (context.req().getHeader("Accept-Encoding") == null) {
      response.setContentLength(body.length());
      response.getOutputStream().write(body.bytes(), 0, body.length());
    } else {
      // Javalin's stream decides on compression and says so in the header.
      response.addHeader("Vary", "Accept-Encoding");
      context.outputStream().write(body.bytes(), 0, body.length());
    }
  }

  /** A request as the servlet library has it. */
  private record Sent(HttpServletRequest request) implements Request {
    @Override
    public String method() {
      return request.getMethod();
    }

    @Override
    public String path() {
      return request.getRequestURI();
    }

    @Override
    public String rawQuery() {
      String query = request.getQueryString();
      return query == null ? "" : query;
    }

    @Override
    public Optional<String> header(String name) {
      return Optional.ofNullable(request.getHeader(name));
    }

    @Override
    public InputStream body() throws IOException {
      return request.getInputStream();
    }
  }
}
