package io.varve.load;

import io.varve.load.SimulatedSensor.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Decides what a fleet sends and when, without sending it: time is passed in, and everything else
 * follows from the seed.
 *
 * <p>Each plant has lines, each line one sensor of each kind. The sensors of every fifth line send
 * through a gateway, which collects for a while and then sends a batch. Two readings in a hundred
 * are late by seconds to minutes. Single-threaded.
 */
final class FleetModel {
  private static final int LINES_PER_PLANT = 8;
  private static final int LINES_PER_GATEWAY = 5;
  private static final long GATEWAY_INTERVAL_MICROS = 2_000_000;

  /** Takes what is sent, in the order of sending. */
  interface Output {
    /** One reading that a sensor sends itself. */
    void single(Measured reading);

    /** Readings that a gateway sends in one record; at least one. */
    void batch(String gateway, List<Measured> readings);
  }

  /** A reading on its way. */
  record Measured(String sensorId, long timestampMicros, double value) {}

  /**
   * A tick to be looked at, at an instant; ties go to the sensor that comes first.
   *
   * @param held whether it was due before and is sent late
   */
  private record Due(long atMicros, int sensor, long tick, boolean held)
      implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int order = Long.compare(atMicros, other.atMicros);
      return order != 0 ? order : Integer.compare(sensor, other.sensor);
    }
  }

  private final List<SimulatedSensor> sensors;
  private final PriorityQueue<Due> agenda = new PriorityQueue<>();
  private final Map<String, List<Measured>> collected = new LinkedHashMap<>();
  private long nextCollectionMicros;

  /**
   * Makes a fleet.
   *
   * @param startMicros the instant from which on readings are made
   */
  FleetModel(int sensors, double readingsPerSecond, long seed, long startMicros) {
    this.sensors = sensors(sensors, readingsPerSecond, new SplittableRandom(seed));
    for (int i = 0; i < sensors; i++) {
      schedule(i, this.sensors.get(i).tickAtOrAfter(startMicros));
    }
    nextCollectionMicros = startMicros + GATEWAY_INTERVAL_MICROS;
  }

  private static List<SimulatedSensor> sensors(int count, double rate, SplittableRandom random) {
    Kind[] kinds = Kind.values();
    long paces = 0;
    for (int i = 0; i < count; i++) {
      paces += kinds[i % kinds.length].pace;
    }
    double slowestPeriodMicros = paces / rate * 1e6;
    List<SimulatedSensor> sensors = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Kind kind = kinds[i % kinds.length];
      int line = i / kinds.length;
      String lineName =
          "plant-" + (line / LINES_PER_PLANT + 1) + "/line-" + (line % LINES_PER_PLANT + 1);
      long period = Math.max(1_000, Math.round(slowestPeriodMicros / kind.pace));
      boolean viaGateway = line % LINES_PER_GATEWAY == LINES_PER_GATEWAY - 1;
      sensors.add(
          new SimulatedSensor(
              lineName + "/" + kind.text,
              kind,
              viaGateway ? Optional.of(lineName + "/gateway") : Optional.empty(),
              period,
              random.nextLong(period),
              random.nextLong()));
    }
    return List.copyOf(sensors);
  }

  List<SimulatedSensor> sensors() {
    return sensors;
  }

  /** Hands over everything that is to be sent before an instant and has not been handed over. */
  void sendUntil(long nowMicros, Output output) {
    while (true) {
      Due next = agenda.element();
      if (nextCollectionMicros <= Math.min(next.atMicros(), nowMicros)) {
        sendCollected(output);
        nextCollectionMicros += GATEWAY_INTERVAL_MICROS;
      } else if (next.atMicros() < nowMicros) {
        agenda.remove();
        take(next, output);
      } else {
        return;
      }
    }
  }

  private void take(Due due, Output output) {
    SimulatedSensor sensor = sensors.get(due.sensor());
    if (!due.held()) {
      schedule(due.sensor(), due.tick() + 1);
      long delay = sensor.delayMicros(due.tick());
      if (delay > 0) {
        agenda.add(new Due(due.atMicros() + delay, due.sensor(), due.tick(), true));
        return;
      }
    }
    Measured reading =
        new Measured(sensor.id(), sensor.timestampMicros(due.tick()), sensor.value(due.tick()));
    if (sensor.gateway().isPresent()) {
      collected.computeIfAbsent(sensor.gateway().get(), g -> new ArrayList<>()).add(reading);
    } else {
      output.single(reading);
    }
  }

  private void schedule(int sensor, long tick) {
    agenda.add(new Due(sensors.get(sensor).timestampMicros(tick), sensor, tick, false));
  }

  /** Hands over what gateways still hold, as they do before they are switched off. */
  void sendCollected(Output output) {
    collected.forEach(output::batch);
    collected.clear();
  }
}
