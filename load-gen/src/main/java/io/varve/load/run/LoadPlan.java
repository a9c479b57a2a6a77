package io.varve.load.run;

import io.varve.load.fleet.Profile;

/**
 * What a run does.
 *
 * @param profile the fleet
 * @param seed decides everything that the profile leaves open
 * @param warmUpNanos how long to send before measuring begins
 * @param runNanos how long to send in all
 * @param readings how many readings to send at most
 * @param closedLoop whether each record waits for the answer to the one before
 * @param markerNanos time between two readings by which visibility is measured; 0 for none
 * @param queriesPerSecond questions a second; 0 for none
 * @param verify whether answers are judged
 * @param verifySample how many sensors are read whole at the end
 * @param settleNanos how long what is acknowledged may take to be visible at the end
 * @param silenceNanos how long a target of which something is due may be silent before it is given
 *     up
 * @param program name and version of the load generator
 */
public record LoadPlan(
    Profile profile,
    long seed,
    long warmUpNanos,
    long runNanos,
    long readings,
    boolean closedLoop,
    long markerNanos,
    double queriesPerSecond,
    boolean verify,
    int verifySample,
    long settleNanos,
    long silenceNanos,
    String program) {}
