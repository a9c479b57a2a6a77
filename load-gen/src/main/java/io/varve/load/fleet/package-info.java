/**
 * Workloads: what a fleet of sensors sends and when, decided from a profile and a seed alone.
 *
 * <p>Everything about one reading is a pure function of (profile, seed, sensor, tick), so that what
 * must exist can be worked out again instead of being kept. No clock, no Kafka, no I/O but the
 * reading of profiles. Only integer arithmetic, the four IEEE operations and {@link StrictMath}: a
 * seed gives the same workload on every machine. {@link io.varve.load.fleet.Fleet} and {@link
 * io.varve.load.fleet.Profile} are immutable; {@link io.varve.load.fleet.Workload} belongs to one
 * thread.
 */
@NullMarked
package io.varve.load.fleet;

import org.jspecify.annotations.NullMarked;
