/** The search for the highest rate that meets an objective. Deciders here do no I/O. */
@NullMarked
package io.varve.load.search;

import org.jspecify.annotations.NullMarked;
