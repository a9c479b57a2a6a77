package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node that is killed at random moments under load loses nothing, repeats nothing, and shows no
 * wrong value, also where its days were being rewritten. In the gate 2 kills over 30 000 readings,
 * in full 20 over a million; there the times until it answers again are printed.
 */
class KillNineIT {
  private static final int KILLS = Proof.FULL ? 20 : 2;
  private static final int READINGS_BEFORE = Proof.FULL ? 1_150_000 : 30_000;
  private static final int SENSORS = Proof.FULL ? 500 : 60;
  private static final int PER_SECOND = 6_000;

  /** Every so many kills the node that comes back is killed while it starts. */
  private static final int TWICE_EVERY = Proof.FULL ? 3 : 2;

  @Test
  void killedNodeLosesRepeatsAndFalsifiesNothing(@TempDir Path folder) throws Exception {
    long seed = Long.getLong("varve.seed", 20_240_601L);
    System.out.println("kill -9: replay with -Dvarve.seed=" + seed);
    Random random = new Random(seed);
    NodeProcess.Setup setup =
        NodeProcess.Setup.in(folder.resolve("data")).withJvmFlags("-Duser.timezone=Asia/Tokyo");
    List<Long> answersMillis = new ArrayList<>();
    NodeProcess node = setup.start();
    try (OracleLoad load = new OracleLoad(seed, SENSORS, setup.bootstrap())) {
      load.sendNow(READINGS_BEFORE);
      load.holdAndFlush();
      isExact(load, node);
      for (int kill = 1; kill <= KILLS; kill++) {
        load.rate(PER_SECOND);
        pass(random.nextInt(1_500));
        // The days, the live one too, are being rewritten when the kill comes, or were just before.
        assertThat(node.client.post("/v1/store/compact?wait=false", "").status()).isEqualTo(202);
        pass(200 + random.nextInt(1_000));
        node.kill();
        node = setup.launch();
        if (kill % TWICE_EVERY == 0) {
          pass(random.nextInt(4_000));
          node.kill();
          node = setup.launch();
        }
        answersMillis.add(awaitAnswer(node));
        pass(random.nextInt(1_500));
        load.holdAndFlush();
        isExact(load, node);
      }
      System.out.printf(
          "kill -9: kills=%d sent=%d rows=%d answering_after_ms=%s%n",
          KILLS, load.sent(), node.client.ledger().stored(), answersMillis);
      node.stop();
    } finally {
      node.close();
    }
  }

  /** Waits for rows and returns how long after the start of the process they came. */
  private static long awaitAnswer(NodeProcess node) {
    await("an answer")
        .atMost(NodeProcess.START)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              node.assertAlive();
              return node.client.statusOf("/v1/readings?sensor_id=kill/sensor-0") == 200;
            });
    return (System.nanoTime() - node.startedNanos) / 1_000_000;
  }

  /**
   * Expects all that is acknowledged to be shown soon, and nothing wrong at any time until then.
   */
  private static void isExact(OracleLoad load, NodeProcess node) {
    await("acknowledged rows shown")
        .atMost(Duration.ofSeconds(60))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              OracleLoad.Verdict verdict = load.verify(node.client);
              if (verdict.wrong() > 0 || verdict.repeated() > 0) {
                throw new AssertionError(verdict + "\n" + node.log());
              }
              return verdict.clean();
            });
  }

  private static void pass(int millis) {
    long end = System.nanoTime() + millis * 1_000_000L;
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> System.nanoTime() >= end);
  }
}
