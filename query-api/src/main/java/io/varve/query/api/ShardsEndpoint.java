package io.varve.query.api;

import io.varve.query.ShardControl;
import io.varve.query.ShardControl.NotNowException;
import io.varve.query.ShardControl.RefusedException;
import io.varve.query.api.Problem.Kind;
import io.varve.storage.SensorId;
import io.varve.storage.placement.ShardCounts;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/** {@code /v1/shards}: the hot list, a sensor's shard plans, and new ones. */
final class ShardsEndpoint {
  static final String PATH = "/v1/shards";
  static final String HISTORY_PATH = "/v1/shards/history";

  private static final String SENSOR = "plant-3%2Ftemp";

  private final ShardControl shards;
  private final Origins origins;
  private final LongSupplier nowMicros;

  ShardsEndpoint(ShardControl shards, Origins origins, LongSupplier nowMicros) {
    this.shards = shards;
    this.origins = origins;
    this.nowMicros = nowMicros;
  }

  Answer hotList(Request request, Body body) {
    Parameters.parse(request.rawQuery(), Set.of(), Set.of()).check();
    return NodeEndpoints.json(body, shards.hotList());
  }

  Answer history(Request request, Body body) {
    Parameters parameters = Parameters.parse(request.rawQuery(), Set.of("sensor_id"), Set.of());
    SensorId sensor = sensor(parameters);
    parameters.check();
    return NodeEndpoints.json(body, shards.history(sensor));
  }

  Answer set(Request request, Body body) {
    Parameters parameters =
        Parameters.parse(
            request.rawQuery(), Set.of("sensor_id", "shards", "from", "dry_run"), Set.of());
    SensorId sensor = sensor(parameters);
    int count = count(parameters);
    OptionalLong from = parameters.instant("from", nowMicros.getAsLong());
    boolean dryRun = parameters.word("dry_run", List.of("false", "true")).equals("true");
    parameters.check();
    origins.refuseForeignPages(request);
    try {
      return NodeEndpoints.json(body, shards.set(sensor, count, from, dryRun));
    } catch (RefusedException e) {
      throw new ProblemException(
          Problem.parameter("from", String.valueOf(e.getMessage()), "from=now+1m"));
    } catch (NotNowException e) {
      throw new ProblemException(Problem.retry(Kind.NOT_READY, String.valueOf(e.getMessage())));
    }
  }

  private static SensorId sensor(Parameters parameters) {
    return ReadingsQuery.sensor(parameters, "sensor_id", parameters.required("sensor_id", SENSOR));
  }

  private static int count(Parameters parameters) {
    parameters.required("shards", "8");
    int count = parameters.integer("shards", 1, 1, ShardCounts.MAX);
    if (!ShardCounts.isCount(count)) {
      parameters.fault(
          "shards",
          "must be a power of two up to " + ShardCounts.MAX + ", not " + count,
          "shards=8");
    }
    return count;
  }
}
