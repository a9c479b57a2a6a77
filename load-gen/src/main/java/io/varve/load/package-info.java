/** Placeholder of the package. */
@NullMarked
package io.varve.load;

import org.jspecify.annotations.NullMarked;
