package io.varve.load.run;

import io.varve.load.fleet.Workload;
import io.varve.load.measure.Latency;
import io.varve.load.target.RecordSink;

/**
 * Sends what is due when it is due.
 *
 * <p>The schedule does not wait for the target: what a slow target holds up is sent as soon as it
 * can be, and still measured from when it was due. How far the sending itself was behind is
 * recorded apart, without the time in which the target held it up, so that a run can say whether
 * the load generator was the bottleneck. Runs on one thread.
 */
final class Pacer {
  /**
   * Waking up for every reading would take more of the processor than sending it does, and so make
   * others late: what is due within this time goes together.
   */
  private static final long SHORTEST_PAUSE = 200_000;

  private final Clock clock;
  private final long startNanos;
  private final Workload workload;
  private final Dispatch dispatch;
  private final Markers markers;
  private final RecordSink sink;
  private final Latency scheduleError;
  private final Tally tally;
  private final boolean closedLoop;
  private volatile boolean stopped;

  /** Whether the schedule is being caught up with after the target held it up. */
  private boolean catchingUp;

  private long blockedBefore;

  Pacer(
      Clock clock,
      long startNanos,
      Workload workload,
      Dispatch dispatch,
      Markers markers,
      RecordSink sink,
      Latency scheduleError,
      Tally tally,
      boolean closedLoop) {
    this.clock = clock;
    this.startNanos = startNanos;
    this.workload = workload;
    this.dispatch = dispatch;
    this.markers = markers;
    this.sink = sink;
    this.scheduleError = scheduleError;
    this.tally = tally;
    this.closedLoop = closedLoop;
    this.blockedBefore = sink.blockedNanos();
  }

  /** Ends the run after the step under way; from any thread. */
  void stop() {
    stopped = true;
  }

  /**
   * Sends all that is due before an end, or so many readings, and returns when the last of it was
   * due. What gateways then still hold is sent too.
   */
  long run(long endNanos, long readings) {
    long last = 0;
    while (!stopped && workload.readings() < readings) {
      long tick = workload.nextDueNanos();
      long flush = dispatch.nextDueNanos();
      long marker = markers.nextDueNanos();
      long due = Math.min(tick, Math.min(flush, marker));
      if (due >= endNanos) {
        last = endNanos;
        break;
      }
      long now = clock.nanos() - startNanos;
      if (due > now) {
        catchingUp = false;
        clock.await(startNanos + Math.max(due, now + SHORTEST_PAUSE));
        continue;
      }
      note(due, now - due);
      if (due == marker) {
        markers.step();
      } else if (due == flush) {
        dispatch.step();
      } else {
        workload.step(dispatch);
      }
      if (closedLoop) {
        awaitAnswers();
      }
      last = due;
    }
    dispatch.sendAll(last);
    return last;
  }

  private void note(long dueNanos, long behindNanos) {
    long blocked = sink.blockedNanos();
    if (blocked != blockedBefore) {
      blockedBefore = blocked;
      catchingUp = true;
    }
    if (!catchingUp) {
      scheduleError.record(dueNanos, behindNanos);
    }
  }

  private void awaitAnswers() {
    while (tally.inFlight() > 0 && !stopped) {
      clock.await(clock.nanos() + 1_000);
    }
    catchingUp = true;
  }
}
