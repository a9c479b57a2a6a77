/**
 * A client of a node's HTTP service, for the command line: answers as trees of maps and lists.
 *
 * <p>Numbers keep the text that the node wrote, so that what is printed is what was stored.
 */
@NullMarked
package io.varve.server.client;

import org.jspecify.annotations.NullMarked;
