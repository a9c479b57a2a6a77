package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The description of the API: valid, complete, and each example of it is what the server says. */
class OpenApiIT {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<String> PATHS =
      List.of(
          "/v1/readings",
          "/v1/latest",
          "/v1/sensors",
          "/v1/status",
          "/v1/store/stats",
          "/v1/top",
          "/v1/ingest/pause",
          "/v1/ingest/resume",
          "/v1/store/compact",
          "/v1/shards",
          "/v1/shards/history",
          "/live",
          "/ready",
          "/metrics",
          "/openapi.yaml");

  private final TestNode node = new TestNode().putExamples();
  private final OpenAPI description = parsed();

  @AfterEach
  void close() {
    node.close();
  }

  private OpenAPI parsed() {
    ParseOptions options = new ParseOptions();
    options.setResolve(true);
    options.setResolveFully(false);
    SwaggerParseResult result =
        new OpenAPIV3Parser().readContents(node.get("/openapi.yaml").text(), null, options);
    assertThat(result.getMessages()).isEmpty();
    return Objects.requireNonNull(result.getOpenAPI());
  }

  @Test
  void everyResourceIsDescribed() {
    assertThat(description.getPaths().keySet()).containsExactlyInAnyOrderElementsOf(PATHS);
    for (String path : PATHS) {
      PathItem item = Objects.requireNonNull(description.getPaths().get(path));
      assertThat(node.get(path).status() != 405).as(path).isEqualTo(item.getGet() != null);
      assertThat(node.post(path, "").status() != 405).as(path).isEqualTo(item.getPost() != null);
    }
  }

  @Test
  void everyExampleIsWhatTheServerAnswers() throws IOException {
    int replayed = 0;
    for (PathItem item : description.getPaths().values()) {
      for (Map.Entry<PathItem.HttpMethod, Operation> each : item.readOperationsMap().entrySet()) {
        replayed += replay(each.getKey(), each.getValue());
      }
    }
    assertThat(replayed).isGreaterThan(14);
  }

  private int replay(PathItem.HttpMethod method, Operation operation) throws IOException {
    int replayed = 0;
    for (var response : operation.getResponses().entrySet()) {
      if (response.getValue().getContent() == null) {
        continue;
      }
      for (var content : response.getValue().getContent().entrySet()) {
        if (content.getValue().getExamples() == null) {
          continue;
        }
        for (Example example : content.getValue().getExamples().values()) {
          check(method, example, Integer.parseInt(response.getKey()), content.getKey());
          replayed++;
        }
      }
    }
    return replayed;
  }

  private void check(PathItem.HttpMethod method, Example example, int status, String mediaType)
      throws IOException {
    String address = String.valueOf(example.getExtensions().get("x-request"));
    Object body = example.getExtensions().getOrDefault("x-body", "");
    PlainClient.Reply reply =
        method == PathItem.HttpMethod.GET
            ? node.get(address)
            : node.post(address, String.valueOf(body), "Content-Type: application/json");
    assertThat(reply.status()).as(address).isEqualTo(status);
    assertThat(reply.header("Content-Type").orElse("")).as(address).startsWith(mediaType);
    if (mediaType.endsWith("json") && !mediaType.endsWith("ndjson")) {
      assertThat(MAPPER.readTree(reply.body()))
          .as(address)
          .isEqualTo(MAPPER.readTree(MAPPER.writeValueAsBytes(example.getValue())));
    } else {
      assertThat(reply.text()).as(address).isEqualTo(String.valueOf(example.getValue()));
    }
  }

  @Test
  void everyParameterTakesItsExample() {
    for (var path : description.getPaths().entrySet()) {
      Operation get = path.getValue().getGet();
      if (get == null || get.getParameters() == null) {
        continue;
      }
      List<Parameter> parameters = get.getParameters().stream().map(this::resolved).toList();
      for (Parameter parameter : parameters) {
        if (parameter.getExample() != null) {
          String address = address(path.getKey(), parameters, parameter);
          assertThat(node.get(address).status()).as(address).isEqualTo(200);
        }
      }
    }
  }

  private Parameter resolved(Parameter parameter) {
    String reference = parameter.get$ref();
    return reference == null
        ? parameter
        : Objects.requireNonNull(
            description
                .getComponents()
                .getParameters()
                .get(reference.substring(reference.lastIndexOf('/') + 1)));
  }

  /** The required parameters, one other, and what that one needs beside it. */
  private static String address(String path, List<Parameter> all, Parameter one) {
    List<String> pairs = new ArrayList<>();
    for (Parameter parameter : all) {
      boolean needed =
          Boolean.TRUE.equals(parameter.getRequired())
              || (List.of("step", "agg").contains(one.getName())
                  && List.of("from", "step").contains(parameter.getName()));
      if (needed || parameter == one) {
        add(parameter.getName(), parameter.getExample(), pairs);
      }
    }
    return path + "?" + String.join("&", pairs);
  }

  private static void add(String name, Object example, List<String> pairs) {
    boolean isText = example instanceof JsonNode json && json.isValueNode();
    if (example instanceof Iterable<?> several && !isText) {
      several.forEach(value -> add(name, value, pairs));
    } else {
      String text = example.toString().replace("\"", "");
      pairs.add(name + "=" + URLEncoder.encode(text, StandardCharsets.UTF_8));
    }
  }
}
