package io.varve.ingest.traffic;

/**
 * One of the most frequent items, and how much of the traffic it is.
 *
 * @param estimate rows or bytes, as reckoned
 * @param atLeast lower bound
 * @param atMost upper bound
 */
public record Hit<T>(T item, long estimate, long atLeast, long atMost) {}
