/**
 * Files of fixed-size blocks, each a Chronicle Map from block number to block. The only package
 * that knows Chronicle.
 */
@NullMarked
package io.varve.storage.chronicle;

import org.jspecify.annotations.NullMarked;
