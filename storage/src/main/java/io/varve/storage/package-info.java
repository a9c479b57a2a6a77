/** Placeholder of the package. */
@NullMarked
package io.varve.storage;

import org.jspecify.annotations.NullMarked;
