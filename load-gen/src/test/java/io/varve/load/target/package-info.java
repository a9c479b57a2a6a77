/** A target in memory, sound or faulty on purpose. */
@NullMarked
package io.varve.load.target;

import org.jspecify.annotations.NullMarked;
