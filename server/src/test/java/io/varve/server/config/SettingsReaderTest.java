package io.varve.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsReaderTest {
  private final Path folder;
  private final List<String> warnings = new ArrayList<>();

  SettingsReaderTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void nothingGivenMeansTheDefaults() throws InvalidSettingException {
    NodeSettings settings = read(Map.of(), Map.of(), Optional.empty());
    assertThat(settings.brokers()).isEmpty();
    assertThat(settings.data()).isEqualTo(Path.of("varve-data")); // C187: not a temporary folder
    assertThat(settings.httpPort()).isEqualTo(8080);
    assertThat(settings.brokerPort()).isEqualTo(9092);
    assertThat(settings.bind()).isEqualTo("127.0.0.1");
    assertThat(settings.retention()).isEmpty();
    assertThat(settings.maxFuture()).isEqualTo(Duration.ofHours(1));
    assertThat(settings.topics()).containsExactly("readings");
    assertThat(settings.name()).isEqualTo("varve");
    assertThat(settings.partitions()).isEqualTo(OptionalInt.empty());
    assertThat(settings.allow1970()).isFalse();
    assertThat(settings.readingsRetention()).isEqualTo(Duration.ofDays(7));
    assertThat(settings.kafka()).isEmpty();
  }

  @Test
  void commandLineWinsOverEnvironmentOverFile() throws InvalidSettingException, IOException {
    Optional<Path> file =
        file("varve.http-port=1\nvarve.broker-port=1\nvarve.threads=1\nkafka.linger.ms=1");
    Map<String, String> environment =
        Map.of("VARVE_HTTP_PORT", "2", "VARVE_BROKER_PORT", "2", "VARVE_KAFKA_LINGER_MS", "2");
    NodeSettings settings = read(Map.of("http-port", "3"), environment, file);
    assertThat(settings.httpPort()).isEqualTo(3);
    assertThat(settings.brokerPort()).isEqualTo(2);
    assertThat(settings.threads()).isEqualTo(1);
    assertThat(settings.kafka()).containsExactly(Map.entry("linger.ms", "2"));
  }

  @Test
  void kafkaSettingsPassThroughUntouched() throws InvalidSettingException {
    NodeSettings settings =
        SettingsReader.read(
            Map.of(),
            Map.of("sasl.jaas.config", "x password=\"${no}expansion,here\";"),
            Map.of(),
            Optional.empty(),
            warnings::add);
    assertThat(settings.kafka())
        .containsEntry("sasl.jaas.config", "x password=\"${no}expansion,here\";");
  }

  @Test
  void unknownKeyInTheFileIsAnErrorThatNamesTheNearest() throws IOException {
    Optional<Path> file = file("varve.http-prot=1");
    assertThatThrownBy(() -> read(Map.of(), Map.of(), file))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("varve.http-prot")
        .extracting(e -> ((InvalidSettingException) e).whatToDo())
        .asString()
        .contains("varve.http-port?");
  }

  @Test
  void unknownVariableIsToldAndIgnored() throws InvalidSettingException {
    read(Map.of(), Map.of("VARVE_PORT_8080_TCP", "tcp://10.0.0.1:8080"), Optional.empty());
    assertThat(warnings).singleElement().asString().contains("VARVE_PORT_8080_TCP");
  }

  @Test
  void missingFileIsAnError() {
    assertThatThrownBy(() -> read(Map.of(), Map.of(), Optional.of(folder.resolve("none"))))
        .hasMessageContaining("does not exist");
  }

  @ParameterizedTest
  @CsvSource({
    "http-port, -1, --http-port must be a whole number from 0 to 65535: got=-1",
    "http-port, x, --http-port must be a whole number from 0 to 65535: got=x",
    "broker-port, 70000, --broker-port must be a whole number from 0 to 65535: got=70000",
    "threads, 0, --threads must be a whole number from 1 to 64: got=0",
    "partitions, 0, --partitions must be a whole number from 1 to 1024: got=0",
    "brokers, kafka, '-b must be host:port, several joined by commas: got=kafka'",
    "name, a b, ' --name must be 1 to 100 letters, digits, ''.'', ''_'' and ''-'': got=a b'",
    "schemas, /nowhere/at/all, --schemas must be a folder that exists: got=/nowhere/at/all",
    "retention, 0d, --retention must be longer than 0: got=0d",
  })
  void wrongValueNamesFlagRuleAndValue(String flag, String text, String message) {
    assertThatThrownBy(() -> read(Map.of(flag, text), Map.of(), Optional.empty()))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessage(message.strip());
  }

  @Test
  void wrongValueNamesTheVariableOrFileItCameFrom() throws IOException {
    Optional<Path> file = file("varve.threads=many");
    assertThatThrownBy(() -> read(Map.of(), Map.of("VARVE_HTTP_PORT", "x"), file))
        .hasMessageContaining("environment variable VARVE_HTTP_PORT");
    assertThatThrownBy(() -> read(Map.of(), Map.of(), file))
        .hasMessageContaining("varve.threads in " + file.orElseThrow());
  }

  @Test
  void wrongDurationGivesAnExample() {
    assertThatThrownBy(() -> read(Map.of("retention", "30"), Map.of(), Optional.empty()))
        .hasMessageContaining("--retention")
        .extracting(e -> ((InvalidSettingException) e).whatToDo())
        .asString()
        .startsWith("for example --retention ");
  }

  @Test
  void listeningEverywhereNeedsANameForClients() throws InvalidSettingException {
    assertThatThrownBy(() -> read(Map.of("bind", "0.0.0.0"), Map.of(), Optional.empty()))
        .hasMessageContaining("--bind 0.0.0.0");
    assertThat(
            read(Map.of("bind", "0.0.0.0", "advertise", "box"), Map.of(), Optional.empty()).host())
        .hasValue("box");
    assertThat(
            read(Map.of("bind", "0.0.0.0", "brokers", "k:9092"), Map.of(), Optional.empty()).host())
        .isEmpty();
  }

  @Test
  void topicsMayBeSeveral() throws InvalidSettingException {
    assertThat(read(Map.of("topic", "a, b,a"), Map.of(), Optional.empty()).topics())
        .containsExactly("a", "b");
  }

  private NodeSettings read(
      Map<String, String> flags, Map<String, String> environment, Optional<Path> file)
      throws InvalidSettingException {
    return SettingsReader.read(flags, Map.of(), environment, file, warnings::add);
  }

  private Optional<Path> file(String text) throws IOException {
    Path file = folder.resolve("varve.properties");
    Files.writeString(file, text);
    return Optional.of(file);
  }
}
