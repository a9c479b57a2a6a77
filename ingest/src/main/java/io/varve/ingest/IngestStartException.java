package io.varve.ingest;

/** Something outside this process that keeps ingest from starting, said for a person. */
public final class IngestStartException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String what;
  private final String why;
  private final String whatToDo;
  private final boolean unreachable;

  /**
   * @param what what did not work
   * @param why the cause, with the values that were found
   * @param whatToDo what would make the next start work, naming the option
   */
  public IngestStartException(String what, String why, String whatToDo) {
    this(what, why, whatToDo, false);
  }

  private IngestStartException(String what, String why, String whatToDo, boolean unreachable) {
    super(what + ": " + why + " (" + whatToDo + ")");
    this.what = what;
    this.why = why;
    this.whatToDo = whatToDo;
    this.unreachable = unreachable;
  }

  /** Makes the exception for brokers that do not answer. */
  public static IngestStartException unreachable(String what, String why, String whatToDo) {
    return new IngestStartException(what, why, whatToDo, true);
  }

  public String what() {
    return what;
  }

  public String why() {
    return why;
  }

  public String whatToDo() {
    return whatToDo;
  }

  /** Whether the brokers did not answer. */
  public boolean unreachable() {
    return unreachable;
  }
}
