package io.varve.load.oracle;

/**
 * One thing that is wrong.
 *
 * @param where the sensor, or what else was asked
 * @param detail which row, what is shown, what is right
 */
public record Fault(FaultKind kind, String where, String detail) {
  @Override
  public String toString() {
    return kind.text() + ": " + where + ": " + detail;
  }
}
