package io.varve.storage;

/**
 * What one day takes in one store.
 *
 * @param day UTC day number
 * @param rows rows present
 * @param bytes of its files
 */
public record DayUse(int day, long rows, long bytes) {}
