/**
 * Queries to rows: which fragments to read in which order, pages and their tokens, and
 * downsampling. Deciders over the stores' port; no HTTP, no JSON.
 */
@NullMarked
package io.varve.query.plan;

import org.jspecify.annotations.NullMarked;
