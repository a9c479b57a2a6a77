package io.varve.load.lab;

import io.varve.load.measure.Summary;
import java.util.Optional;

/**
 * What the latest rows of one sensor cost.
 *
 * @param density {@code sparse} or {@code dense}
 * @param shards parts that each day is spread over
 * @param days days with rows
 * @param stored rows of the sensor
 * @param rows rows of an answer
 * @param fragments shards of days opened for it, on average over all answers
 * @param blocks blocks touched for it, on average
 * @param decoded rows decoded for it, on average
 * @param time from question to answer, over HTTP
 * @param fault what was wrong with the first wrong answer; empty if all were right
 */
public record MergeCell(
    String density,
    int shards,
    int days,
    long stored,
    int rows,
    double fragments,
    double blocks,
    double decoded,
    Summary time,
    Optional<String> fault) {}
