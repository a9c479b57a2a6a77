/** A short look at all that matters of a node, in one table. The node is reached from outside. */
@NullMarked
package io.varve.load.bench;

import org.jspecify.annotations.NullMarked;
