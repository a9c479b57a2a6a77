/**
 * The codec of sealed runs: an immutable, compressed, ordered run of rows. What encloses a run (its
 * sensor, day, checksum, fence) is somebody else's.
 *
 * <p>Each column's encoder is nested in the class that decodes it. Nothing here is safe for two
 * threads at once; nothing allocates once warm. All numbers are little endian.
 */
@NullMarked
package io.varve.storage.sealed;

import org.jspecify.annotations.NullMarked;
