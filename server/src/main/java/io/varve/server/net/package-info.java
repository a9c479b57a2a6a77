/** Ports of this machine: whether one is free, and finding one that is. */
@NullMarked
package io.varve.server.net;

import org.jspecify.annotations.NullMarked;
