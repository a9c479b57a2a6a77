package io.varve.ingest.topics;

import io.varve.ingest.IngestStartException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaFuture;

/** Waits for brokers' answers at start and says for a person what went wrong. */
final class BrokerCalls {
  static final long TIMEOUT_SECONDS = 30;

  private final String brokers;

  /**
   * @param brokers their addresses, for messages
   */
  BrokerCalls(String brokers) {
    this.brokers = brokers;
  }

  String brokers() {
    return brokers;
  }

  /**
   * Returns the answer.
   *
   * @param what what is being done, as in "could not …"
   * @throws IngestStartException if there is none in time, or it is an error
   */
  <T> T await(String what, KafkaFuture<T> answer) throws IngestStartException {
    return awaitUnless(what, answer, NoFault.class).orElseThrow();
  }

  /** Stands for no fault at all. */
  private static final class NoFault extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** Returns the answer, or empty if it is the given fault. */
  <T> Optional<T> awaitUnless(
      String what, KafkaFuture<T> answer, Class<? extends Exception> expected)
      throws IngestStartException {
    try {
      return Optional.of(answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      if (expected.isInstance(e.getCause())) {
        return Optional.empty();
      }
      throw failed(what, e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw failed(what, e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Waits for an answer that carries nothing; true unless it is the given fault. */
  boolean doneUnless(String what, KafkaFuture<Void> answer, Class<? extends Exception> expected)
      throws IngestStartException {
    return awaitUnless(what, answer.thenApply(nothing -> true), expected).isPresent();
  }

  /** Waits for an answer that carries nothing. */
  void done(String what, KafkaFuture<Void> answer) throws IngestStartException {
    await(what, answer.thenApply(nothing -> true));
  }

  private IngestStartException failed(String what, Throwable cause) {
    boolean silent =
        cause instanceof TimeoutException
            || cause instanceof org.apache.kafka.common.errors.TimeoutException;
    IngestStartException failed =
        silent
            ? IngestStartException.unreachable(
                "no broker answers",
                "could not " + what + " at " + brokers + " within " + TIMEOUT_SECONDS + " s",
                "start the brokers, or name them with -b host:port")
            : new IngestStartException(
                "could not " + what, String.valueOf(cause), "look at the brokers at " + brokers);
    failed.initCause(cause);
    return failed;
  }

  /** Lets time pass. */
  static void pause(long nanos) throws IngestStartException {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static IngestStartException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    IngestStartException stopped =
        new IngestStartException("start was interrupted", "the process is stopping", "start again");
    stopped.initCause(e);
    return stopped;
  }
}
