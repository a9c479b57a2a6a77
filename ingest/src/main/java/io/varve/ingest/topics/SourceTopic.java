package io.varve.ingest.topics;

/**
 * A source topic as it was found.
 *
 * @param name the topic
 * @param id Kafka's id of it, which a topic created anew under the name does not share
 * @param partitions its partitions
 * @param maxMessageBytes largest record batch that it takes
 */
public record SourceTopic(String name, String id, int partitions, int maxMessageBytes) {}
