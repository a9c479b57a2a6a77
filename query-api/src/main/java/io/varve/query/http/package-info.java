/**
 * The only package that knows Jetty: it listens, hands each request to {@code api} and writes the
 * answer. Its threads are Jetty's.
 */
@NullMarked
package io.varve.query.http;

import org.jspecify.annotations.NullMarked;
