package io.varve.storage.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.varve.storage.SensorId;
import io.varve.storage.SharedData;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokenTest {
  private final byte[] scratch = new byte[Token.compositeLength(SensorId.MAX_BYTES)];

  @Test
  void pinnedVectorsMatchCassandra() throws IOException {
    List<String> vectors;
    try (InputStream in = TokenTest.class.getResourceAsStream("cassandra-tokens.tsv")) {
      vectors =
          new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .toList();
    }
    assertThat(check(vectors)).isEqualTo(25);
  }

  @Test
  void everyVectorBesideTheCheckoutMatchesCassandra() throws IOException {
    Optional<Path> file = SharedData.find("cassandra-tokens.tsv");
    assumeTrue(file.isPresent(), "no shared/data beside the checkout");
    assertThat(check(Files.readAllLines(file.get()))).isEqualTo(414);
  }

  @Test
  void idsAreReadAtTheirOffset() {
    byte[] padded = "xxplant-3/tempyy".getBytes(StandardCharsets.UTF_8);
    byte[] exact = "plant-3/temp".getBytes(StandardCharsets.UTF_8);
    assertThat(Token.of(padded, 2, exact.length, 19_875, 3, scratch))
        .isEqualTo(Token.of(exact, 0, exact.length, 19_875, 3, scratch));
  }

  @Test
  void leftoversInTheScratchBufferDoNotCount() {
    byte[] id = "a".getBytes(StandardCharsets.UTF_8);
    long clean = Token.of(id, 0, 1, 1, 0, scratch);
    Arrays.fill(scratch, (byte) 0x5a);
    assertThat(Token.of(id, 0, 1, 1, 0, scratch)).isEqualTo(clean);
  }

  /** Checks lines of {@code id in hex, day, shard, token}; returns how many there were. */
  private int check(List<String> lines) {
    int checked = 0;
    for (String line : lines) {
      if (line.startsWith("#")) {
        continue;
      }
      String[] cells = line.split("\t", -1);
      byte[] id = HexFormat.of().parseHex(cells[0]);
      long token =
          Token.of(
              id, 0, id.length, Integer.parseInt(cells[1]), Integer.parseInt(cells[2]), scratch);
      assertThat(token).as(line).isEqualTo(Long.parseLong(cells[3]));
      checked++;
    }
    return checked;
  }
}
