package io.varve.server.doctor;

/**
 * The outcome of one check.
 *
 * @param check its name
 * @param verdict how it came out
 * @param saw what was found, with figures
 * @param whatToDo the next step; empty where all is well
 */
public record Diagnosis(String check, Verdict verdict, String saw, String whatToDo) {
  static Diagnosis ok(String check, String saw) {
    return new Diagnosis(check, Verdict.OK, saw, "");
  }

  static Diagnosis warn(String check, String saw, String whatToDo) {
    return new Diagnosis(check, Verdict.WARN, saw, whatToDo);
  }

  static Diagnosis bad(String check, String saw, String whatToDo) {
    return new Diagnosis(check, Verdict.BAD, saw, whatToDo);
  }
}
