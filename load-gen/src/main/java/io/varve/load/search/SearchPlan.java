package io.varve.load.search;

import io.varve.load.fleet.Profile;

/**
 * What a search does.
 *
 * @param profile the fleet, whose rate is varied
 * @param seed decides everything that the profile leaves open
 * @param objective what a rate has to meet
 * @param start the first rate to try
 * @param highest the highest rate to try
 * @param resolution how close to come, a share
 * @param repeats how many searches; those after the first begin where it ended
 * @param warmUpNanos how long each rate is sent before it is measured
 * @param stepNanos how long each rate is measured
 * @param markerNanos time between two readings by which visibility is measured
 * @param queriesPerSecond questions a second, of five kinds in turn
 * @param patienceNanos how long a target may take to catch up, or be silent
 * @param program name and version of the load generator
 */
public record SearchPlan(
    Profile profile,
    long seed,
    Objective objective,
    long start,
    long highest,
    double resolution,
    int repeats,
    long warmUpNanos,
    long stepNanos,
    long markerNanos,
    double queriesPerSecond,
    long patienceNanos,
    String program) {}
