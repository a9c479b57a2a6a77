package io.varve.schemas;

/**
 * Receives the readings of one record, in the order in which they stand in it.
 *
 * <p>A record that is one reading makes one call; a batch makes one call for each member, so that
 * the number of calls before this one is the member's index. Rules about readings (an empty id, a
 * time too old) are not checked here: what was decoded is handed over as it is.
 */
public interface ReadingSink {
  /** Length of an id that is missing or null. */
  int MISSING_ID = -1;

  /**
   * Takes one decoded reading.
   *
   * @param id bytes that hold the sensor id in UTF-8 (not checked); borrowed for the call
   * @param idOffset where the id begins
   * @param idLength its length in bytes, or {@link #MISSING_ID}
   * @param hasTimestamp false if the timestamp is missing or null; {@code timestampMicros} is then
   *     0
   * @param timestampMicros microseconds since 1970; a time beyond 64 bits of microseconds is given
   *     as {@link Long#MIN_VALUE} or {@link Long#MAX_VALUE}, which no range of days holds
   * @param hasValue false if the value is missing or null; {@code value} is then 0
   * @param value the value, bit for bit
   * @param sequence the tie-break, 0 when absent
   */
  void reading(
      byte[] id,
      int idOffset,
      int idLength,
      boolean hasTimestamp,
      long timestampMicros,
      boolean hasValue,
      double value,
      long sequence);

  /**
   * Takes the place of {@link #reading} for a member that could be told apart from its neighbours
   * but has a field of a wrong kind, such as a JSON object whose timestamp is {@code "yesterday"}.
   * It is to be refused; members after it follow.
   */
  void unusable(Undecodable fault);
}
