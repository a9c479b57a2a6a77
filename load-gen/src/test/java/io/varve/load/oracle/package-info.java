/** Tests of the judge. */
@NullMarked
package io.varve.load.oracle;

import org.jspecify.annotations.NullMarked;
