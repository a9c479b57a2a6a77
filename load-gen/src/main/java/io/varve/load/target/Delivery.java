package io.varve.load.target;

/** What becomes of one record: exactly one of the two is called, once, on any thread. */
public interface Delivery {
  /** The target has taken the record and will not lose it. */
  void acknowledged();

  /** It is not known whether the target has the record. */
  void failed(Exception cause);
}
