package io.varve.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.query.HttpSettings;
import io.varve.query.TestNode;
import io.varve.query.api.Problem.Kind;
import org.junit.jupiter.api.Test;

/** What is refused before a request gets anywhere is told like every other problem. */
class RefusalTest {
  @Test
  void whatPassesSaysWhenToComeBack() {
    try (TestNode node = new TestNode()) {
      Api api = new Api(HttpSettings.of("127.0.0.1", 0), node, node, () -> 0);
      for (Kind kind : Kind.values()) {
        Answer answer = api.refusal(kind, "Why, and what to do.");
        assertThat(answer.status()).isEqualTo(kind.status());
        assertThat(answer.headers().stream().anyMatch(h -> h.name().equals("Retry-After")))
            .as("%s", kind)
            .isEqualTo(kind.status() == 503);
      }
    }
  }
}
