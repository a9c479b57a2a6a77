/**
 * Laboratories: small experiments that show why rows are laid out as they are, first on a model
 * that anybody can check by hand, then on a running node by its own counters.
 *
 * <p>The models decide from a seed alone and touch neither files nor network; what reaches a node
 * does so through Kafka and HTTP.
 */
@NullMarked
package io.varve.load.lab;

import org.jspecify.annotations.NullMarked;
