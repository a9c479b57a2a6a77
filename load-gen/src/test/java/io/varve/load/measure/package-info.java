/** Tests. */
@NullMarked
package io.varve.load.measure;

import org.jspecify.annotations.NullMarked;
