/**
 * Many rows in one record of {@code rows}: where routed rows wait, when they leave, and what
 * happens to a commit when they did not arrive.
 */
@NullMarked
package io.varve.ingest.pack;

import org.jspecify.annotations.NullMarked;
