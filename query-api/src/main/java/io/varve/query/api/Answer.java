package io.varve.query.api;

import java.util.List;

/**
 * What a request is answered.
 *
 * @param status HTTP status code
 * @param contentType media type of the body
 * @param headers further header fields
 * @param body the whole body; valid until the same thread makes the next answer
 */
public record Answer(int status, String contentType, List<Header> headers, Body body) {}
