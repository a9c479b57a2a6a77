package io.varve.server.node;

import com.sun.management.UnixOperatingSystemMXBean;
import io.varve.ingest.StoreLimits;
import io.varve.schemas.Rfc3339;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What does not change while a node runs.
 *
 * @param name prefix of topics and application id
 * @param instanceId this node among the members of its group
 * @param partitions topic partitions of {@code rows}
 * @param topics source topics
 * @param ownBroker whether the broker is in this process
 * @param retention event time kept; empty keeps all
 * @param limits what the stores may take on disk
 * @param data data folder
 * @param started when the node started
 */
record NodeFacts(
    String name,
    String instanceId,
    int partitions,
    List<String> topics,
    boolean ownBroker,
    Optional<Duration> retention,
    StoreLimits limits,
    Path data,
    Instant started) {

  Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", name);
    tree.put("instance_id", instanceId);
    tree.put("partitions", partitions);
    tree.put("topics", topics);
    tree.put("in_process_broker", ownBroker);
    retention.ifPresent(kept -> tree.put("retention_seconds", kept.toSeconds()));
    limits.maxBytes().ifPresent(bytes -> tree.put("max_store_bytes", bytes));
    tree.put("data", data.toString());
    tree.put("started", started.truncatedTo(ChronoUnit.SECONDS).toString());
    tree.put("uptime_seconds", Duration.between(started, Instant.now()).toSeconds());
    tree.put("now", Rfc3339.format(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())));
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      tree.put("open_files", system.getOpenFileDescriptorCount());
      tree.put("max_open_files", system.getMaxFileDescriptorCount());
    }
    return tree;
  }
}
