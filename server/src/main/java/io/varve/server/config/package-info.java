/**
 * The settings of a node and where they come from: command line, environment, file, defaults, in
 * this order.
 *
 * <p>SmallRye Config is imported here only.
 */
@NullMarked
package io.varve.server.config;

import org.jspecify.annotations.NullMarked;
