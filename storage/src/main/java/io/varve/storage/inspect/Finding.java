package io.varve.storage.inspect;

import java.util.OptionalInt;

/**
 * Something that an inspection of a store's files has to say about one place.
 *
 * @param topicPartition topic partition of {@code rows}
 * @param day UTC day number; empty where the whole store is meant
 * @param file name of the file in the store's folder; empty where no single one is meant
 * @param what constant text, then {@code name=value}
 * @param damage whether it contradicts itself; otherwise the next start mends it by itself
 */
public record Finding(
    int topicPartition, OptionalInt day, String file, String what, boolean damage) {}
