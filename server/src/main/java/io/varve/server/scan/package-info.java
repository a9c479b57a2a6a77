/**
 * The reading of a topic for its keys and sizes: every record that it holds now, once, without a
 * group and without leaving a trace on the brokers.
 */
@NullMarked
package io.varve.server.scan;

import org.jspecify.annotations.NullMarked;
