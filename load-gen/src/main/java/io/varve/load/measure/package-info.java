/**
 * Durations measured and summed up. HdrHistogram is imported here and nowhere else.
 *
 * <p>What is recorded is always nanoseconds since the moment at which something was meant to
 * happen; who records decides that moment. Recording is thread-safe, all else belongs to one
 * thread.
 */
@NullMarked
package io.varve.load.measure;

import org.jspecify.annotations.NullMarked;
