/**
 * What a team would write by itself instead of Varve: a Kafka Streams application with rows in
 * RocksDB, as a target of the same load, questions and oracle. It runs in the process of the load
 * generator and shares nothing with the service but the schemas of readings.
 *
 * <p>The one package of this module that imports Kafka Streams.
 */
@NullMarked
package io.varve.load.streams;

import org.jspecify.annotations.NullMarked;
