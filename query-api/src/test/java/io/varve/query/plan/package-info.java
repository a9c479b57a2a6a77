/** Tests of the package of the same name. */
@NullMarked
package io.varve.query.plan;

import org.jspecify.annotations.NullMarked;
