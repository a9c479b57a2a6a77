/**
 * The runnable program: the entry point and what must hold before any other class loads.
 *
 * <p>{@code broker} holds the in-process Kafka broker, {@code config} the settings of a node,
 * {@code node} the assembly of one node, {@code put} the CSV import, {@code cli} the command line.
 * This module alone depends on both ingest and query-api.
 */
@NullMarked
package io.varve.server;

import org.jspecify.annotations.NullMarked;
