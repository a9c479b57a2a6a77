/** Asking a Varve node over HTTP, with as little between the socket and the clock as can be. */
@NullMarked
package io.varve.load.http;

import org.jspecify.annotations.NullMarked;
