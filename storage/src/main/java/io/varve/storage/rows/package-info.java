/** The value format of the {@code rows} topic: many rows packed into one record. */
@NullMarked
package io.varve.storage.rows;

import org.jspecify.annotations.NullMarked;
