/**
 * Proofs of what the README promises, from outside: child processes, a real broker, bytes on disk
 * and answers over HTTP. Nothing here calls the product's classes except its main class, by name.
 *
 * <p>Readings are encoded by Avro's own library and answers are parsed by Jackson, so that an error
 * shared by our encoder and decoder cannot hide. With {@code -Dvarve.full=true} the long proofs run
 * in the sizes that the project states; otherwise small.
 */
@NullMarked
package io.varve.server.proof;

import org.jspecify.annotations.NullMarked;
