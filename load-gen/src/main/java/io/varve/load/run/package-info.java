/**
 * Running a load: sending readings when they are due, whatever the target does, and measuring from
 * the moment at which each was due.
 *
 * <p>Time comes from a {@link io.varve.load.run.Clock}, so that a test can let a target freeze
 * without waiting. One thread sends; acknowledgements come on the target's threads.
 */
@NullMarked
package io.varve.load.run;

import org.jspecify.annotations.NullMarked;
