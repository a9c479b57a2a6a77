@NullMarked
package io.varve.load.lab;

import org.jspecify.annotations.NullMarked;
