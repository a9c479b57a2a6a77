/**
 * Asking while a load runs: when readings become visible, and how long answers take. Each probe
 * runs on a thread of its own, by a schedule that does not wait for answers.
 */
@NullMarked
package io.varve.load.probe;

import org.jspecify.annotations.NullMarked;
