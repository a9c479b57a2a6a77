package io.varve.load.report;

import io.varve.load.measure.Summary;
import io.varve.load.run.LoadResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a reader of the numbers must know, in sentences. */
final class Notes {
  private static final long TOLERATED_NANOS = 1_000_000;
  private static final long NOTABLE_BLOCKED_NANOS = 100_000_000;
  private static final double BEHIND = 0.02;

  /** One reading in a hundred is late when the sender waits for so much of the time. */
  private static final double NOTABLE_WAIT = 0.01;

  private Notes() {}

  /** What to do about a sender that is late, by whether it lacked a processor. */
  private static String processor(LoadResult result) {
    if (result.waitedNanos().isEmpty() || result.sendNanos() == 0) {
      return "Ask for a lower rate, or give it a processor of its own.";
    }
    double share = (double) result.waitedNanos().getAsLong() / result.sendNanos();
    return String.format(
        Locale.ROOT,
        share > NOTABLE_WAIT
            ? "It had no processor for %.1f %% of the time, since others used them: give it one of"
                + " its own."
            : "It lacked a processor for %.1f %% of the time only: ask for a lower rate.",
        share * 100);
  }

  static List<String> of(LoadResult result) {
    List<String> notes = new ArrayList<>();
    if (result.plan().closedLoop()) {
      notes.add(
          "Closed loop: each record waited for the answer to the one before, and durations are"
              + " measured from when a record was really sent. A stall of the target shows once,"
              + " however many records it held up. Do not compare with open loops.");
    }
    Summary schedule = result.scheduleError().total();
    boolean late = !result.plan().closedLoop() && schedule.p99() > TOLERATED_NANOS;
    if (late) {
      notes.add(
          "The load generator was itself the bottleneck: through no fault of the target, one"
              + " reading in a hundred was handed over "
              + Summary.text(schedule.p99())
              + " late or more. "
              + processor(result));
    }
    long due = Math.min(result.plan().runNanos(), result.sendNanos());
    if (result.sendNanos() - due > due * BEHIND && !late) {
      notes.add(
          String.format(
              Locale.ROOT,
              "The target did not take the rate asked for: what was due in %s was handed over in"
                  + " %s.",
              Summary.text(due),
              Summary.text(result.sendNanos())));
    }
    if (result.blockedNanos() > NOTABLE_BLOCKED_NANOS) {
      notes.add(
          "The target held up sending for "
              + Summary.text(result.blockedNanos())
              + "; what was due meanwhile is measured from when it was due.");
    }
    result
        .givenUp()
        .ifPresent(
            why -> notes.add("Sending ended early: " + why + ". What was due later was not sent."));
    if (result.tally().failedReadings() > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%,d readings were not acknowledged: %s. They may be there or not, and the verdict"
                  + " accepts both.",
              result.tally().failedReadings(),
              result.tally().firstFailure().orElse("no reason given")));
    }
    if (result.markersSeen() < result.markers()) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%,d of %,d markers never became visible and are missing in produce-to-visible,"
                  + " which is therefore too good.",
              result.markers() - result.markersSeen(),
              result.markers()));
    }
    if (result.unanswered() > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%,d of %,d questions got no answer (nobody there, not ready, or overloaded) and are"
                  + " missing in the durations of queries.",
              result.unanswered(),
              result.asked()));
    }
    return notes;
  }
}
