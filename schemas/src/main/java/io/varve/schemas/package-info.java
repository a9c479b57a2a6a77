/**
 * The language that Varve shares with the world outside: Avro schemas, the codec of readings, topic
 * names, and how times and durations are written.
 *
 * <p>Avro and Jackson are used here and nowhere else in this module, and none of their types
 * crosses the border. Nothing here knows topics' contents, stores or HTTP. Encoders and decoders
 * are single-threaded and reused; {@link io.varve.schemas.WriterSchemas} is shared by all threads;
 * the rest is immutable or stateless.
 */
@NullMarked
package io.varve.schemas;

import org.jspecify.annotations.NullMarked;
