package io.varve.load.run;

/**
 * One interval of a run, of about a second.
 *
 * @param atNanos its end, in nanoseconds since the start
 * @param sent readings sent a second
 * @param acknowledged readings acknowledged a second
 * @param lagRecords records that the target had not taken in; -1 when it did not say
 * @param acknowledgedP99 nanoseconds to acknowledgement; 0 when there was none
 * @param visibleP99 nanoseconds to visibility; 0 when there was none
 * @param queryP99 nanoseconds to an answer of any kind; 0 when there was none
 */
public record Second(
    long atNanos,
    double sent,
    double acknowledged,
    long lagRecords,
    long acknowledgedP99,
    long visibleP99,
    long queryP99) {}
