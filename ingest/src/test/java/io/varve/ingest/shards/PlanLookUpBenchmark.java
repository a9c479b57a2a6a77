package io.varve.ingest.shards;

import io.varve.storage.SensorId;
import io.varve.storage.placement.Placement;
import io.varve.storage.placement.ShardCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What plans cost a router for each row, by the number of planned sensors among 10 000. Run with
 * the module's test class path; prints nanoseconds.
 */
public final class PlanLookUpBenchmark {
  private static final int SENSORS = 10_000;
  private static final int ROUNDS = 300;
  private static final long JUNE = 1_717_200_000_000_000L;

  private PlanLookUpBenchmark() {}

  public static void main(String[] args) {
    byte[][] ids = new byte[SENSORS][];
    for (int i = 0; i < SENSORS; i++) {
      ids[i] = SensorId.of("plant-" + i % 7 + "/line-" + i % 31 + "/sensor-" + i).toBytes();
    }
    for (int turn = 0; turn < 3; turn++) {
      print("no plans at all", lookUp(ids, ShardCounts.ONE), place(ids, ShardCounts.ONE));
      for (int planned : new int[] {0, 1, 10, 1_000}) {
        LivePlans plans = plans(ids, planned);
        print(planned + " sensors planned", lookUp(ids, plans), place(ids, plans));
      }
    }
  }

  private static void print(String name, double lookUp, double place) {
    System.out.printf(Locale.ROOT, "%-22s look-up %5.1f  place %6.1f%n", name, lookUp, place);
  }

  private static LivePlans plans(byte[][] ids, int planned) {
    List<ShardPlan> all = new ArrayList<>();
    for (int i = 0; i < planned; i++) {
      byte[] id = ids[i * (SENSORS / planned)];
      all.add(new ShardPlan(SensorId.of(id, 0, id.length), JUNE, 8, 1, "", JUNE));
    }
    LivePlans plans = new LivePlans(PlanLead.USUAL, System::nanoTime);
    plans.learn(new PlanTable(all));
    return plans;
  }

  private static double lookUp(byte[][] ids, ShardCounts counts) {
    long sum = 0;
    long best = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      for (byte[] id : ids) {
        sum += counts.at(id, 0, id.length, JUNE + round);
      }
      best = Math.min(best, System.nanoTime() - start);
    }
    return sum == 0 ? 0 : best / (double) ids.length;
  }

  private static double place(byte[][] ids, ShardCounts counts) {
    Placement placement = new Placement(8, counts);
    long sum = 1;
    long best = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      for (byte[] id : ids) {
        placement.place(id, 0, id.length, JUNE + round, 0);
        sum += placement.topicPartition();
      }
      best = Math.min(best, System.nanoTime() - start);
    }
    return sum == 0 ? 0 : best / (double) ids.length;
  }
}
