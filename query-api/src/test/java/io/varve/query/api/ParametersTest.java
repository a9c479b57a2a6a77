package io.varve.query.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries as they are sent, to parameters. */
class ParametersTest {
  private static Parameters parse(String query) {
    return Parameters.parse(query, Set.of("a", "b", "é"), Set.of("b"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a=x|x",
        "a=x+y|x y",
        "a=x%20y|x y",
        "a=x%2By|x+y",
        "a=%C3%A9|é",
        "a=%F0%9F%8C%A1|🌡",
        "a=x=y|x=y",
        "&&a=x&|x",
        "%61=x|x",
        "a=%26%3D|&=",
      })
  void valuesAreDecoded(String query, String value) {
    Parameters parameters = parse(query);
    parameters.check();
    assertThat(parameters.get("a")).contains(value);
  }

  @Test
  void nameWithoutValueIsEmpty() {
    assertThat(parse("a").get("a")).contains("");
    assertThat(parse("").get("a")).isEmpty();
    assertThat(parse("%C3%A9=1").get("é")).contains("1");
  }

  @Test
  void repeatableParametersKeepTheirOrder() {
    assertThat(parse("b=2&a=x&b=1&b=2").all("b")).containsExactly("2", "1", "2");
  }

  @ParameterizedTest
  @CsvSource({"a=%", "a=%2", "a=%zz", "a=%C3", "a=%ff", "%=1", "a=1&a=1", "c=1", "A=1", "a%00=1"})
  void malformedAndUnknownAreFaults(String query) {
    assertThatThrownBy(() -> parse(query).check()).isInstanceOf(ProblemException.class);
  }

  @Test
  void manyFaultsAreToldInPart() {
    Parameters parameters = parse("z=1&".repeat(5_000));
    assertThatThrownBy(parameters::check)
        .isInstanceOfSatisfying(
            ProblemException.class, e -> assertThat(e.problem().errors()).hasSize(16));
  }

  @Test
  void whatIsEncodedIsDecoded() {
    Random random = new Random(5);
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = new byte[random.nextInt(20)];
      random.nextBytes(bytes);
      String text = new String(bytes, StandardCharsets.UTF_8);
      assertThat(Parameters.decode(Links.encode(text))).contains(text);
    }
  }
}
