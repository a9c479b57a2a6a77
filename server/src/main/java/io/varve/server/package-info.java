/** Placeholder of the package. */
@NullMarked
package io.varve.server;

import org.jspecify.annotations.NullMarked;
