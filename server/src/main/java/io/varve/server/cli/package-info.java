/**
 * The command line: commands, their options, exit codes and output.
 *
 * <p>Data goes to stdout, everything else to stderr. Errors are one line what, one why, one what to
 * do; stack traces only with {@code --verbose}. picocli is imported here only.
 */
@NullMarked
package io.varve.server.cli;

import org.jspecify.annotations.NullMarked;
