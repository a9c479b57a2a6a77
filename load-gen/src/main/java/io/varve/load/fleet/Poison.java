package io.varve.load.fleet;

/** The forms of bad records that a fleet sends: what no row may ever come of. */
public enum Poison {
  /** Bytes of no known schema: goes to the dead letters. */
  GARBAGE(1, false),
  /** A reading that ends in its middle: goes to the dead letters. */
  TRUNCATED(2, false),
  /** A reading without a name: refused. */
  EMPTY_ID(3, true),
  /** A reading of a real sensor in January 1970: refused. */
  JANUARY_1970(4, true),
  /** A reading of a real sensor in the year 3000: refused. */
  FAR_AHEAD(5, true);

  /** Enters the workload's hash: never to be changed. */
  final int code;

  private final boolean decodable;

  Poison(int code, boolean decodable) {
    this.code = code;
    this.decodable = decodable;
  }

  /** Whether it can be decoded and breaks a rule; else it cannot even be decoded. */
  public boolean decodable() {
    return decodable;
  }
}
