/**
 * Requests to answers, free of any HTTP library: parameters, endpoints, formats, problems.
 *
 * <p>A request that breaks a rule becomes a problem (RFC 9457), never a stack trace. Each request
 * is served by one thread.
 */
@NullMarked
package io.varve.query.api;

import org.jspecify.annotations.NullMarked;
