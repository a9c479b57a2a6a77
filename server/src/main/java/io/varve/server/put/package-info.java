/**
 * The import of CSV files: lines to readings, readings to a topic, a report of both. And a reading
 * of them for keys and sizes only ({@link io.varve.server.put.CsvScan}).
 *
 * <p>What a line means is decided apart from reading and sending: {@link
 * io.varve.server.put.CsvLayout}, {@link io.varve.server.put.LineReader} and {@link
 * io.varve.server.put.RepeatNumbers} do no I/O. fastcsv is imported here, and for output by the
 * command line.
 */
@NullMarked
package io.varve.server.put;

import org.jspecify.annotations.NullMarked;
