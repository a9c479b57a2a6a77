package io.varve.query.http;

import io.varve.query.api.Answer;
import io.varve.query.api.Api;
import io.varve.query.api.Problem.Kind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** What Jetty refuses before a request gets anywhere, told as problems like everything else. */
final class Refusals extends ErrorHandler {
  private final Api api;

  Refusals(Api api) {
    this.api = api;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Answer answer = refusal(response.getStatus());
    response.setStatus(answer.status());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
    answer.headers().forEach(each -> response.getHeaders().put(each.name(), each.value()));
    response.getHeaders().put(HttpHeader.CONNECTION, "close");
    byte[] body = Arrays.copyOf(answer.body().bytes(), answer.body().length());
    response.write(true, ByteBuffer.wrap(body), callback);
    return true;
  }

  private Answer refusal(int status) {
    return switch (status) {
      case 404 -> api.refusal(Kind.NOT_FOUND, "There is no such resource.");
      case 413 -> api.refusal(Kind.BODY_TOO_LARGE, "The request body is too large.");
      case 414 ->
          api.refusal(
              Kind.URI_TOO_LONG,
              "The address is longer than the server takes; a page token has under 400 characters,"
                  + " and many sensors are asked with POST /v1/latest.");
      case 431 -> api.refusal(Kind.HEADERS_TOO_LARGE, "The request header is too large.");
      case 505 -> api.refusal(Kind.BAD_REQUEST, "The protocol is not understood; speak HTTP/1.1.");
      case 503 ->
          api.refusal(
              Kind.NOT_READY, "The node is stopping, or has too much to do; try again shortly.");
      default ->
          status >= 500
              ? api.refusal(Kind.INTERNAL, "This is a fault of the server; its log says more.")
              : api.refusal(
                  Kind.BAD_REQUEST, "The request is not well-formed HTTP, or its address is not.");
    };
  }
}
