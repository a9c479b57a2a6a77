package io.varve.ingest.topics;

import java.util.List;
import java.util.OptionalInt;

/**
 * How one of Varve's own topics must be.
 *
 * @param name the topic
 * @param partitions partitions when it is created
 * @param exactPartitions the count that it must have if it exists; empty takes any
 * @param settings its settings, created so and held against those of an existing topic
 */
record TopicSpec(String name, int partitions, OptionalInt exactPartitions, List<Setting> settings) {

  /** How an existing value may differ from the one wanted. */
  enum Rule {
    /** Not at all. */
    EXACT,
    /** It may be more; −1 is more than any number. */
    AT_LEAST,
    /** It is only given at creation. */
    AT_CREATION
  }

  /**
   * One setting of a topic.
   *
   * @param name as Kafka names it
   * @param value the value wanted
   * @param rule how an existing value may differ
   * @param why what goes wrong otherwise, for the message to a person
   */
  record Setting(String name, String value, Rule rule, String why) {
    boolean accepts(String existing) {
      return switch (rule) {
        case EXACT -> existing.equals(value);
        case AT_LEAST -> bound(existing) >= bound(value);
        case AT_CREATION -> true;
      };
    }

    private static long bound(String value) {
      long number = Long.parseLong(value);
      return number < 0 ? Long.MAX_VALUE : number;
    }
  }

  static Setting exactly(String name, String value, String why) {
    return new Setting(name, value, Rule.EXACT, why);
  }

  static Setting atLeast(String name, long value, String why) {
    return new Setting(name, Long.toString(value), Rule.AT_LEAST, why);
  }

  static Setting atCreation(String name, String value) {
    return new Setting(name, value, Rule.AT_CREATION, "");
  }
}
