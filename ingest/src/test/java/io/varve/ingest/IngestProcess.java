package io.varve.ingest;

import java.nio.file.Path;
import java.util.Map;

/** A node in a process of its own, for tests that kill it. Says {@code serving} once it does. */
public final class IngestProcess {
  private IngestProcess() {}

  /** Arguments: brokers, name, state folder. Runs until standard input ends. */
  public static void main(String[] args) throws Exception {
    IngestSettings settings =
        IngestServiceIT.settings(args[0], args[1], Path.of(args[2]), Map.of());
    try (IngestService ingest = new IngestService(settings)) {
      ingest.start();
      while (!IngestServiceIT.allServing(ingest, IngestServiceIT.PARTITIONS)) {
        java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
      }
      System.out.println("serving");
      while (System.in.read() >= 0) {}
    }
  }
}
