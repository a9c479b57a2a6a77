package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The advisor reads a live topic, and the doctor looks over the node that does too. */
@ExtendWith(SharedNode.Extension.class)
class KeyAdviceIT {
  private static final Duration COMMAND = Duration.ofSeconds(120);
  private static final int ROWS = 500;

  @Test
  void topicIsReadFromItsBeginningAndNodeIsFoundWell(SharedNode shared) throws Exception {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(new Row(Poison.NOON + i * 1_000_000L, 0, i));
    }
    shared.store("advised", rows);
    String brokers = shared.node.setup.bootstrap();
    String url = "http://127.0.0.1:" + shared.node.setup.httpPort();

    ChildCommand.Outcome advice =
        ChildCommand.run(
            COMMAND, "advise", "--topic", "readings", "-b", brokers, "--node", url, "-o", "json");
    assertThat(advice.exitCode()).as(advice.err()).isZero();
    assertThat(advice.out()).contains("\"proposal\"", "\"varve_bytes_a_row\"", "key and value");
    assertThat(advice.err()).contains("rows/s");

    ChildCommand.Outcome doctor =
        ChildCommand.run(COMMAND, "doctor", "--node", url, "-b", brokers, "-o", "csv");
    assertThat(doctor.exitCode()).as(doctor.out() + doctor.err()).isZero();
    assertThat(doctor.out())
        .contains("rows-retention,ok,", "clock-node,ok,", "topic-partitions,ok,", "open-files,");
  }
}
