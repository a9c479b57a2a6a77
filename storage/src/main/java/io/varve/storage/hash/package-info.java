/** Hashes for look-ups and checksums, part of the stored formats. Pure functions, any thread. */
@NullMarked
package io.varve.storage.hash;

import org.jspecify.annotations.NullMarked;
