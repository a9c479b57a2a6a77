package io.varve.query.api;

import io.varve.query.api.Problem.Fault;

/** The JSON text of a problem. */
final class ProblemText {
  private ProblemText() {}

  static void write(Problem problem, Body body) {
    try (JsonBody json = JsonBody.of(body, TimeFormat.RFC3339)) {
      json.startObject()
          .text("type", problem.kind().type())
          .text("title", problem.kind().title())
          .number("status", problem.kind().status())
          .text("detail", problem.detail());
      if (!problem.errors().isEmpty()) {
        json.startArray("errors");
        for (Fault fault : problem.errors()) {
          json.startObject()
              .text("parameter", fault.parameter())
              .text("detail", fault.detail())
              .text("example", fault.example())
              .endObject();
        }
        json.endArray();
      }
      json.endObject();
    }
  }
}
