/**
 * The send side of every target that is fed through Kafka. The Kafka client is imported here only.
 */
@NullMarked
package io.varve.load.kafka;

import org.jspecify.annotations.NullMarked;
