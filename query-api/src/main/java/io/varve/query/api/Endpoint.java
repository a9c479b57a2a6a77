package io.varve.query.api;

/** What answers one method of one resource. Thread-safe. */
@FunctionalInterface
interface Endpoint {
  /**
   * Answers a request.
   *
   * @param body empty; to be filled
   * @throws ProblemException if the request breaks a rule
   */
  Answer answer(Request request, Body body);
}
