/** Tests of the package of the same name. */
@NullMarked
package io.varve.query.api;

import org.jspecify.annotations.NullMarked;
