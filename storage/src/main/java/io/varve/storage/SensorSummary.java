package io.varve.storage;

/**
 * What one store knows of a sensor.
 *
 * @param sensor the sensor
 * @param firstDay oldest day with rows
 * @param lastDay newest day with rows
 * @param rows rows stored
 * @param last the newest row
 */
public record SensorSummary(SensorId sensor, int firstDay, int lastDay, long rows, Row last) {}
