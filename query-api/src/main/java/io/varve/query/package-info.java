/**
 * The HTTP query service: its ports to the rest of a node, its settings, and the server itself.
 *
 * <p>{@code plan} turns a query into rows, {@code api} turns requests into answers, {@code http} is
 * the only package that knows the HTTP library. Nothing here knows Kafka.
 */
@NullMarked
package io.varve.query;

import org.jspecify.annotations.NullMarked;
