@NullMarked
package io.varve.load.search;

import org.jspecify.annotations.NullMarked;
