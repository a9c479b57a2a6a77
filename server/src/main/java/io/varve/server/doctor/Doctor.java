package io.varve.server.doctor;

import java.util.List;

/** All checks, in the order in which they are told. Decides only. */
public final class Doctor {
  private Doctor() {}

  /** Returns the outcome of each check. */
  public static List<Diagnosis> examine(Examined examined) {
    return List.of(
        SizeChecks.partitionSkew(examined),
        SizeChecks.partitionSize(examined),
        SizeChecks.bucketing(examined),
        SizeChecks.topicPartitionRows(examined),
        SizeChecks.topicPartitionRate(examined),
        ClockChecks.node(examined),
        ClockChecks.brokers(examined),
        ClockChecks.sensors(examined),
        LogChecks.expiredOffsets(examined),
        LogChecks.rowsRetention(examined),
        LogChecks.topicPartitions(examined),
        FileChecks.openFiles(examined));
  }
}
