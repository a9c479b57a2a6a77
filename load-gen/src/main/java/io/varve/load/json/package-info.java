/** JSON read and written. Jackson is imported here only. */
@NullMarked
package io.varve.load.json;

import org.jspecify.annotations.NullMarked;
