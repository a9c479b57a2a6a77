/**
 * Judging answers without a copy of what was sent: whether a row may exist, and what its value is,
 * follows from the fleet.
 *
 * <p>The rules: what was acknowledged is shown, unless a rule of the target refuses it; nothing
 * else is; nothing is shown twice; rows are in order, pages join without gap; values are those of
 * the newest acknowledged version; the latest row is the latest. Single-threaded but for {@link
 * io.varve.load.oracle.Faults}.
 */
@NullMarked
package io.varve.load.oracle;

import org.jspecify.annotations.NullMarked;
