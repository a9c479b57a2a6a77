/** Tests of asking over HTTP. */
@NullMarked
package io.varve.load.http;

import org.jspecify.annotations.NullMarked;
