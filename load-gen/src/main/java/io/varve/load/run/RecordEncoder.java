package io.varve.load.run;

import io.varve.load.fleet.Fleet;
import io.varve.load.fleet.Poison;
import io.varve.schemas.ReadingEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The bytes of keys and records as a fleet sends them, in the schema of the time. Reused. */
final class RecordEncoder {
  private static final byte[] NO_ID = {};
  private static final long DAY_MICROS = 86_400_000_000L;
  private static final long YEAR_3000_MICROS = 32_503_680_000_000_000L;
  private static final int GARBAGE_LENGTH = 24;

  private final Fleet fleet;
  private final byte[][] gatewayKeys;
  private final ReadingEncoder micros = new ReadingEncoder();
  private final ReadingEncoder millis = ReadingEncoder.inMillis();

  RecordEncoder(Fleet fleet) {
    this.fleet = fleet;
    this.gatewayKeys = new byte[fleet.gateways()][];
    for (int g = 0; g < gatewayKeys.length; g++) {
      gatewayKeys[g] = (fleet.name() + "/gateway-" + g).getBytes(StandardCharsets.UTF_8);
    }
  }

  /** The key of everything that concerns a sensor, all through the run. */
  byte[] key(int sensor) {
    int gateway = fleet.gatewayOf(sensor);
    return fleet.batches(gateway) ? gatewayKeys[gateway] : fleet.nameBytes(sensor);
  }

  /** The encoder of the schema that a gateway, or a sensor behind it, uses at a time. */
  ReadingEncoder at(int gateway, long dueNanos) {
    return fleet.writesMillis(gateway, dueNanos) ? millis : micros;
  }

  byte[] reading(int sensor, long dueNanos, long timestampMicros, long sequence, long valueBits) {
    return at(fleet.gatewayOf(sensor), dueNanos)
        .encode(
            fleet.nameBytes(sensor), timestampMicros, Double.longBitsToDouble(valueBits), sequence);
  }

  /** A bad record. */
  byte[] poison(int sensor, long dueNanos, Poison form) {
    byte[] name = fleet.nameBytes(sensor);
    long timestamp = fleet.startMicros() + dueNanos / 1_000;
    return switch (form) {
      case GARBAGE -> garbage(dueNanos);
      case TRUNCATED -> {
        byte[] whole = micros.encode(name, timestamp, 0, 0);
        yield Arrays.copyOf(whole, whole.length - 3);
      }
      case EMPTY_ID -> micros.encode(NO_ID, timestamp, 0, 0);
      case JANUARY_1970 -> micros.encode(name, 5 * DAY_MICROS, 0, 0);
      case FAR_AHEAD -> micros.encode(name, YEAR_3000_MICROS, 0, 0);
    };
  }

  private static byte[] garbage(long dueNanos) {
    byte[] garbage = new byte[GARBAGE_LENGTH];
    Arrays.fill(garbage, (byte) dueNanos);
    garbage[0] = 0x7f; // no format begins so
    return garbage;
  }
}
