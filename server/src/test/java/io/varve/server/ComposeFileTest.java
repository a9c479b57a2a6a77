package io.varve.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComposeFileTest {
  private final JsonNode compose;

  ComposeFileTest() throws IOException {
    compose = new YAMLMapper().readTree(Path.of("../docker-compose.yml").toFile());
  }

  @Test
  void everyServiceHasAnImageOrABuildAndKnownDependencies() {
    JsonNode services = compose.path("services");
    assertThat(names(services)).contains("kafka", "topics", "varve");
    for (String name : names(services)) {
      JsonNode service = services.path(name);
      assertThat(service.has("image") || service.has("build")).as(name).isTrue();
      assertThat(names(services)).as(name).containsAll(names(service.path("depends_on")));
    }
  }

  @Test
  void brokerIsTheOfficialImage() {
    assertThat(service("kafka").path("image").asText()).startsWith("apache/kafka:4.");
  }

  @Test
  void dataOutlivesContainersInDeclaredVolumes() {
    for (String name : List.of("kafka", "varve")) {
      JsonNode volumes = service(name).path("volumes");
      assertThat(volumes).as(name).isNotEmpty();
      for (JsonNode volume : volumes) {
        assertThat(names(compose.path("volumes"))).contains(volume.asText().split(":", 2)[0]);
      }
    }
  }

  @Test
  void nodeIsBuiltFromADockerfileOnAJdk() throws IOException {
    assertThat(service("varve").path("build").asText()).isEqualTo(".");
    List<String> from =
        Files.readAllLines(Path.of("../Dockerfile")).stream()
            .filter(line -> line.startsWith("FROM "))
            .toList();
    assertThat(from).last().asString().contains("-jdk");
  }

  @Test
  void portsAreOpenOnThisMachineOnly() {
    for (JsonNode service : compose.path("services")) {
      for (JsonNode port : service.path("ports")) {
        assertThat(port.asText()).startsWith("127.0.0.1:");
      }
    }
  }

  private JsonNode service(String name) {
    return compose.path("services").path(name);
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
