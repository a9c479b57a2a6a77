/**
 * What an inspection of a store's files found: values, without any file open behind them. The
 * engine makes them, commands print them.
 */
@NullMarked
package io.varve.storage.inspect;

import org.jspecify.annotations.NullMarked;
