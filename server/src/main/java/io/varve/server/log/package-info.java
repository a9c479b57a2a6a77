/** What of the log is shown. Logback is imported here only; levels are in {@code logback.xml}. */
@NullMarked
package io.varve.server.log;

import org.jspecify.annotations.NullMarked;
