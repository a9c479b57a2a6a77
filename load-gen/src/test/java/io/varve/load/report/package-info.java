/** Tests of reports. */
@NullMarked
package io.varve.load.report;

import org.jspecify.annotations.NullMarked;
