/** Placeholder of the package. */
@NullMarked
package io.varve.schemas;

import org.jspecify.annotations.NullMarked;
