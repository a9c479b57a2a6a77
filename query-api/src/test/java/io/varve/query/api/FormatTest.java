package io.varve.query.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which format an Accept header means. */
class FormatTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*/*|JSON",
        "application/json|JSON",
        "application/*|JSON",
        "text/csv|CSV",
        "text/*|CSV",
        "TEXT/CSV|CSV",
        "application/x-ndjson|NDJSON",
        "application/ndjson|NDJSON",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8|JSON",
        "text/csv;q=0.5, application/json;q=0.4|CSV",
        "application/json;q=0, */*|NDJSON",
        "text/csv; header=present; q=0.1, */*;q=0.05|CSV",
        "application/json;q=0.2, application/x-ndjson ; q=0.9|NDJSON",
      })
  void bestFormatIsChosen(String accept, Format expected) {
    assertThat(Format.ofAccept(accept)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"image/png", "", ",", ";;;", "*/*;q=0", "text/csv;q=x", "json"})
  void unacceptableIsRefused(String accept) {
    assertThatThrownBy(() -> Format.ofAccept(accept)).isInstanceOf(ProblemException.class);
  }
}
