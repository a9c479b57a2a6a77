package io.varve.query.http;

import io.javalin.http.Context;
import io.varve.query.api.Answer;
import io.varve.query.api.Api;
import io.varve.query.api.Header;
import io.varve.query.api.Request;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** The hand-over between Javalin and {@link Api}: one request in, one answer out. */
final class Exchange {
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
    int length = answer.body().length();
    if (context.req().getMethod().equals("HEAD") || answer.status() == 204) {
      if (answer.status() != 204) {
        response.setContentLength(length);
      }
      return;
    }
    if (context.req().getHeader("Accept-Encoding") != null) {
      // Javalin's stream decides on compression and says so in the header.
      context.outputStream().write(answer.body().bytes(), 0, length);
    } else {
      response.setContentLength(length);
      response.getOutputStream().write(answer.body().bytes(), 0, length);
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
