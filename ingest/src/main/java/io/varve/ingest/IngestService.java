package io.varve.ingest;

import io.varve.storage.PartitionReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One node's ingest: topics, the Streams application, and the live stores that it fills.
 *
 * <p>Life: constructed (no I/O), {@link #start started} once, {@link #close closed} once. All
 * methods may be called from any thread.
 */
public final class IngestService implements AutoCloseable {
  private final IngestSettings settings;

  public IngestService(IngestSettings settings) {
    this.settings = settings;
  }

  /**
   * Creates and checks the topics, opens the stores and starts the stream threads; returns before
   * the stores have caught up.
   *
   * @throws IngestStartException if the brokers, a topic, a schema or the store's record of itself
   *     forbids the start; the message says what to do
   */
  public void start() throws IngestStartException {
    throw new IngestStartException("ingest did not start", settings.name(), "update");
  }

  /** Stops reading and applying; stores keep answering. Survives rebalances. */
  public void pause() {}

  /** Ends a {@link #pause}. */
  public void resume() {}

  public boolean paused() {
    return false;
  }

  public IngestState state() {
    return IngestState.STARTING;
  }

  /** Why the state is {@link IngestState#FAILED}; empty in any other state. */
  public Optional<String> reason() {
    return Optional.empty();
  }

  /** Returns the stores on this node, whatever their state. */
  public List<PartitionReader> readers() {
    return List.of();
  }

  /**
   * Returns {@code host:port} of the node that owns each topic partition of {@code rows} which is
   * elsewhere; a topic partition that nobody owns is left out.
   */
  public Map<Integer, String> remoteOwners() {
    return Map.of();
  }

  /** Returns the counts and distances as of now. */
  public IngestReport report() {
    return new IngestReport(List.of(), List.of(), Map.of());
  }

  /** Closes within 30 seconds. */
  @Override
  public void close() {
    close(Duration.ofSeconds(30));
  }

  /**
   * Stops taking in, commits, forces the stores and closes them. What is not done in time is left
   * to the next start, which replays it.
   */
  public void close(Duration atMost) {}
}
