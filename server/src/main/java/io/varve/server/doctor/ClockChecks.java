package io.varve.server.doctor;

import io.varve.schemas.Rfc3339;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Whether clocks agree: the node's, the brokers', the sensors'. */
final class ClockChecks {
  private static final double SECOND = 1e6;
  private static final double A_LITTLE = 1;
  private static final double A_LOT = 60;
  private static final double SENSOR_BEHIND = 600;
  private static final long FEW_WAITING = 1_000;
  private static final String SET_CLOCKS = "let both machines follow the same time server (NTP)";

  private ClockChecks() {}

  static Diagnosis node(Examined examined) {
    String check = "clock-node";
    OptionalLong now = examined.before().nowMicros();
    if (now.isEmpty()) {
      return Diagnosis.warn(
          check, "the node does not tell its time", "update it to the version of this command");
    }
    // It was read somewhere between question and answer: only what lies outside is a difference.
    double ahead = (now.getAsLong() - examined.answeredMicros()) / SECOND;
    double behind = (examined.askedMicros() - now.getAsLong()) / SECOND;
    double off = Math.max(0, Math.max(ahead, behind));
    return graded(
        check,
        off,
        off < 0.001
            ? "the node's clock agrees with this machine's"
            : text(
                "the node's clock is %.3f s %s this machine's",
                off, ahead > 0 ? "ahead of" : "behind"));
  }

  private static Diagnosis graded(String check, double off, String saw) {
    if (off <= A_LITTLE) {
      return Diagnosis.ok(check, saw);
    }
    return off <= A_LOT
        ? Diagnosis.warn(check, saw, SET_CLOCKS)
        : Diagnosis.bad(
            check,
            saw,
            SET_CLOCKS + "; until then readings are refused or expire by the wrong time");
  }

  static Diagnosis brokers(Examined examined) {
    String check = "clock-brokers";
    if (examined.brokers().isEmpty()) {
      return LogChecks.notAsked(check, examined);
    }
    OptionalLong newest = examined.brokers().get().newestAppendMicros();
    if (newest.isEmpty()) {
      return Diagnosis.ok(check, "no record yet to tell by");
    }
    double ahead = (newest.getAsLong() - examined.endedMicros()) / SECOND;
    if (ahead > 0.001) {
      return graded(
          check, ahead, text("the brokers' clock is at least %.3f s ahead of this one", ahead));
    }
    // What came while we looked was appended after we began to.
    boolean came = examined.came() > 0 && examined.before().visibleLag() == 0;
    double behind = (examined.askedMicros() - newest.getAsLong()) / SECOND;
    if (came && behind > 0.001) {
      return graded(
          check, behind, text("the brokers' clock is at least %.3f s behind this one", behind));
    }
    return Diagnosis.ok(
        check, "the newest record was appended at " + Rfc3339.format(newest.getAsLong()));
  }

  static Diagnosis sensors(Examined examined) {
    NodeFigures node = examined.after();
    List<String> saw = new ArrayList<>();
    long ahead = node.refused().getOrDefault("timestamp-too-far-ahead", 0L);
    long old = node.refused().getOrDefault("timestamp-too-old", 0L);
    if (ahead > 0) {
      saw.add(text("readings refused as too far ahead since the ledger began: %,d", ahead));
    }
    if (old > 0) {
      saw.add(
          text("readings refused as older than the retention since the ledger began: %,d", old));
    }
    OptionalLong newest = node.stores().stream().flatMapToLong(s -> s.eventMicros().stream()).max();
    boolean off = false;
    if (newest.isPresent()) {
      double difference =
          (newest.getAsLong() - node.nowMicros().orElse(examined.endedMicros())) / SECOND;
      boolean live = examined.came() > 0 && node.visibleLag() < FEW_WAITING;
      off = difference > A_LOT || live && difference < -SENSOR_BEHIND;
      saw.add(
          text(
              "the newest timestamp is %,.0f s %s now%s",
              Math.abs(difference),
              difference > 0 ? "ahead of" : "behind",
              live ? ", while rows come" : ""));
    }
    String found = saw.isEmpty() ? "no rows yet" : String.join("; ", saw);
    return off || ahead > 0 || old > 0
        ? Diagnosis.warn(
            "clock-sensors",
            found,
            "look up these readings in the dead-letter topic; set the sensors' clocks, or check the"
                + " unit of their timestamps; old data on purpose needs a longer --retention")
        : Diagnosis.ok("clock-sensors", found);
  }

  private static String text(String form, Object... values) {
    return String.format(Locale.ROOT, form, values);
  }
}
