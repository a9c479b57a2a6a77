/**
 * One node: its data folder, the assembly of broker, ingest and query-api in start and stop order,
 * and what it tells about itself (status, metrics, readiness).
 */
@NullMarked
package io.varve.server.node;

import org.jspecify.annotations.NullMarked;
