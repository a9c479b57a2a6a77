/**
 * The doctor: what a node and its brokers tell goes in, and a verdict with figures on each thing
 * that goes wrong in practice comes out.
 *
 * <p>{@link io.varve.server.doctor.Doctor} only decides. {@link io.varve.server.doctor.NodeFigures}
 * reads a node's answers, which others fetch; {@link io.varve.server.doctor.BrokerProbe} asks the
 * brokers and changes nothing there.
 */
@NullMarked
package io.varve.server.doctor;

import org.jspecify.annotations.NullMarked;
