package io.varve.query.api;

import java.util.List;

/**
 * Why a request gets no answer, as RFC 9457 (Problem Details for HTTP APIs) says it.
 *
 * @param kind what sort of problem
 * @param detail one sentence about this occurrence: what, why, and what to do
 * @param errors the parameters at fault; empty where none is
 * @param headers header fields that go with it, such as Retry-After
 */
public record Problem(Kind kind, String detail, List<Fault> errors, List<Header> headers) {
  /** Media type of problems. */
  static final String CONTENT_TYPE = "application/problem+json";

  /**
   * One parameter at fault.
   *
   * @param parameter its name as it was written; for bodies the path to the member
   * @param detail why it is refused
   * @param example a value that would be right, or what to write instead
   */
  public record Fault(String parameter, String detail, String example) {}

  /** The sorts of problems: the one table from reasons to HTTP. */
  public enum Kind {
    BAD_REQUEST(400, "bad-request", "The request can't be understood"),
    FORBIDDEN(403, "forbidden", "Not allowed from there"),
    NOT_FOUND(404, "not-found", "No such resource"),
    METHOD_NOT_ALLOWED(405, "method-not-allowed", "The resource has no such method"),
    NOT_ACCEPTABLE(406, "not-acceptable", "No format that the client accepts"),
    BODY_TOO_LARGE(413, "body-too-large", "The request body is too large"),
    URI_TOO_LONG(414, "uri-too-long", "The request address is too long"),
    UNSUPPORTED_MEDIA_TYPE(415, "unsupported-media-type", "The request body has a foreign format"),
    HEADERS_TOO_LARGE(431, "headers-too-large", "The request headers are too large"),
    INTERNAL(500, "internal", "The server failed"),
    STORE_UNAVAILABLE(503, "store-unavailable", "Some rows can't be read right now"),
    OVERLOADED(503, "overloaded", "Too many queries at once"),
    NOT_READY(503, "not-ready", "The node can't answer yet"),
    DEADLINE(504, "deadline", "The query's time was used up");

    private final int status;
    private final String slug;
    private final String title;

    Kind(int status, String slug, String title) {
      this.status = status;
      this.slug = slug;
      this.title = title;
    }

    public int status() {
      return status;
    }

    /** The machine-readable name: a URN that never changes. */
    public String type() {
      return "urn:varve:problem:" + slug;
    }

    public String title() {
      return title;
    }
  }

  /** A problem that no single parameter is at fault for. */
  public static Problem of(Kind kind, String detail, Header... headers) {
    return new Problem(kind, detail, List.of(), List.of(headers));
  }

  /** A problem with one parameter. */
  static Problem parameter(String parameter, String detail, String example) {
    return parameters(List.of(new Fault(parameter, detail, example)));
  }

  /** A problem with some parameters; the first one is told in the detail. */
  static Problem parameters(List<Fault> faults) {
    Fault first = faults.get(0);
    String more = faults.size() == 1 ? "" : " (and " + (faults.size() - 1) + " more, see errors)";
    return new Problem(
        Kind.BAD_REQUEST, first.parameter() + " " + first.detail() + more, faults, List.of());
  }

  /** A problem that passes when the client tries again. */
  static Problem retry(Kind kind, String detail) {
    return of(kind, detail, new Header("Retry-After", "1"));
  }
}
