/** Tests of workloads. */
@NullMarked
package io.varve.load.fleet;

import org.jspecify.annotations.NullMarked;
