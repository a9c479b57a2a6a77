/** Tests. */
@NullMarked
package io.varve.load.run;

import org.jspecify.annotations.NullMarked;
