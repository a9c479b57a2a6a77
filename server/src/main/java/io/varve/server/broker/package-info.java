/**
 * The in-process Kafka broker: one KRaft node, broker and controller in one, kept under the data
 * folder.
 *
 * <p>Kafka's server classes are imported here only. They are public and have kept their names from
 * 4.0 to 4.4, but nobody promises them: {@link io.varve.server.broker.EmbeddedBroker} is the one
 * class to look at when the Kafka version changes.
 */
@NullMarked
package io.varve.server.broker;

import org.jspecify.annotations.NullMarked;
