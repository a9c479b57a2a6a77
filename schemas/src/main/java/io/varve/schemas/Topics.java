package io.varve.schemas;

import java.util.regex.Pattern;

/**
 * The names of Varve's own topics.
 *
 * @param prefix put before each name; empty on a broker that is Varve's alone
 */
public record Topics(String prefix) {
  /** The source topic that is read, and on Varve's own broker created, unless others are named. */
  public static final String DEFAULT_SOURCE = "readings";

  /** Names on Varve's own broker: without a prefix. */
  public static final Topics OWN_BROKER = new Topics("");

  /** Kafka's limit on a topic name. */
  private static final int MAX_NAME_LENGTH = 249;

  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]+");

  public Topics {
    if (!prefix.isEmpty()) {
      checkName("topic prefix", prefix + DEFAULT_SOURCE + ".dlq");
    }
  }

  /**
   * Names on a cluster that others use too: each begins with the installation's name and a dot.
   *
   * @throws IllegalArgumentException if the name has characters that topic names cannot have, or is
   *     too long; the message says which
   */
  public static Topics onSharedCluster(String name) {
    checkName("name", name);
    return new Topics(name + ".");
  }

  /** The log of the store. */
  public String rows() {
    return prefix + "rows";
  }

  /** Where refused and undecodable records go. */
  public String deadLetters() {
    return prefix + DEFAULT_SOURCE + ".dlq";
  }

  /** The compacted topic of shard plans. */
  public String shardPlans() {
    return prefix + "shard-plans";
  }

  /**
   * Checks that Kafka accepts a topic name.
   *
   * @param what what is being named, for the message
   * @throws IllegalArgumentException if Kafka would refuse it
   */
  public static void checkName(String what, String name) {
    if (!NAME.matcher(name).matches()
        || name.length() > MAX_NAME_LENGTH
        || name.equals(".")
        || name.equals("..")) {
      throw new IllegalArgumentException(
          what
              + " \""
              + name
              + "\" cannot be used: topic names have 1 to 249 characters out of a-z A-Z 0-9 . _ -");
    }
  }
}
