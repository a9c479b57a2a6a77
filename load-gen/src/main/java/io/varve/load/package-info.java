/**
 * Simulated fleets of sensors that send readings to a Kafka topic, as users' fleets do.
 *
 * <p>What a fleet sends is decided apart from Kafka and reproducible from a seed; {@link
 * io.varve.load.DemoFleet} sends it on a thread of its own. Nothing here reads the service.
 */
@NullMarked
package io.varve.load;

import org.jspecify.annotations.NullMarked;
