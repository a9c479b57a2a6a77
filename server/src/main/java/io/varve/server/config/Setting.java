package io.varve.server.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A setting of a node: its key in files, its flag, its environment variable. */
enum Setting {
  BROKERS("brokers", "-b", ""),
  DATA("data", "varve-data"),
  HTTP_PORT("http-port", "8080"),
  BROKER_PORT("broker-port", "9092"),
  BIND("bind", "127.0.0.1"),
  ADVERTISE("advertise", ""),
  THREADS("threads", ""),
  RETENTION("retention", ""),
  MAX_STORE_BYTES("max-store-bytes", ""),
  GUARDRAIL_BYTES("guardrail-bytes", "100MB"),
  GUARDRAIL_ROWS("guardrail-rows", "0"),
  CLOSE_AFTER("close-after", "1h"),
  SHARDING("sharding", "auto"),
  SHARD_RATE("shard-rate", "5000"),
  SHARD_COOL_DOWN("shard-cool-down", "1h"),
  MAX_FUTURE("max-future", "1h"),
  SCHEMAS("schemas", ""),
  TOPIC("topic", "readings"),
  NAME("name", "varve"),
  PARTITIONS("partitions", ""),
  ALLOW_1970("allow-1970", "false"),
  READINGS_RETENTION("readings-retention", "7d");

  private final String key;
  private final String flag;
  private final String defaultText;

  Setting(String key, String defaultText) {
    this(key, "--" + key, defaultText);
  }

  Setting(String key, String flag, String defaultText) {
    this.key = key;
    this.flag = flag;
    this.defaultText = defaultText;
  }

  /** Key in configuration files. */
  String key() {
    return "varve." + key;
  }

  String flag() {
    return flag;
  }

  /** Name of the environment variable. */
  String variable() {
    return "VARVE_" + key.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** Text that holds when nothing is given; empty where absence has a meaning of its own. */
  String defaultText() {
    return defaultText;
  }

  static Optional<Setting> ofKey(String key) {
    return Arrays.stream(values()).filter(s -> s.key().equals(key)).findFirst();
  }

  static Optional<Setting> ofVariable(String variable) {
    return Arrays.stream(values()).filter(s -> s.variable().equals(variable)).findFirst();
  }
}
