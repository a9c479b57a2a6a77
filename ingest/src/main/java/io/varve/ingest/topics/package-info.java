/**
 * The topics that ingest reads and writes: created where they are Varve's own, checked where they
 * exist, watched while the node runs.
 *
 * <p>Talks to the brokers through the admin client only; never changes a user's topic.
 */
@NullMarked
package io.varve.ingest.topics;

import org.jspecify.annotations.NullMarked;
