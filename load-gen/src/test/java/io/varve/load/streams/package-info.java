@NullMarked
package io.varve.load.streams;

import org.jspecify.annotations.NullMarked;
