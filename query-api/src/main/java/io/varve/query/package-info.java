/** Placeholder of the package. */
@NullMarked
package io.varve.query;

import org.jspecify.annotations.NullMarked;
