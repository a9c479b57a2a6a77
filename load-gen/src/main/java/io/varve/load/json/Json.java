package io.varve.load.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.varve.load.target.Queries;
import io.varve.load.target.RowPage;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * JSON as trees of maps, lists, texts, {@link Long}, {@link Double} and {@link Boolean}, with null
 * as {@link Optional#empty()}; and the rows of an answer, read without a tree.
 */
public final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  /**
   * Reads one object.
   *
   * @throws IOException if the text is no JSON object
   */
  @SuppressWarnings("unchecked") // maps are made here, by name only
  public static Map<String, Object> readObject(byte[] text, int length) throws IOException {
    try (JsonParser parser = FACTORY.createParser(text, 0, length)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("no JSON object");
      }
      return (Map<String, Object>) value(parser);
    }
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, Object> object = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          object.put(name, value(parser));
        }
        yield object;
      }
      case START_ARRAY -> {
        List<Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          array.add(value(parser));
        }
        yield array;
      }
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> Optional.empty();
      default -> throw new IOException("unexpected token=" + parser.currentToken());
    };
  }

  /** Writes one tree, indented; the writer stays open. */
  public static void write(Map<String, ?> tree, Writer writer) throws IOException {
    try (JsonGenerator out =
        FACTORY.createGenerator(writer).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
      out.useDefaultPrettyPrinter();
      write(tree, out);
    }
    writer.write('\n');
  }

  private static void write(Object value, JsonGenerator out) throws IOException {
    if (value instanceof Map<?, ?> object) {
      out.writeStartObject();
      for (Map.Entry<?, ?> member : object.entrySet()) {
        out.writeFieldName(String.valueOf(member.getKey()));
        write(member.getValue(), out);
      }
      out.writeEndObject();
    } else if (value instanceof List<?> array) {
      out.writeStartArray();
      for (Object element : array) {
        write(element, out);
      }
      out.writeEndArray();
    } else if (value instanceof Double number) {
      out.writeNumber(number);
    } else if (value instanceof Number number) {
      out.writeNumber(number.longValue());
    } else if (value instanceof Boolean flag) {
      out.writeBoolean(flag);
    } else if (value instanceof Optional<?> none && none.isEmpty()) {
      out.writeNull();
    } else {
      out.writeString(value.toString());
    }
  }

  /**
   * Reads the answer to a question for rows, given with {@code ts=epoch_us}. A row that is not
   * known has the timestamp {@link Queries#NONE}.
   *
   * @throws IOException if the text is none
   */
  public static void readRows(byte[] text, int length, RowPage page) throws IOException {
    page.clear();
    Optional<String> next = Optional.empty();
    boolean complete = false;
    boolean rows = false;
    try (JsonParser parser = FACTORY.createParser(text, 0, length)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("no JSON object");
      }
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        JsonToken token = parser.nextToken();
        switch (name) {
          case "rows" -> {
            rows = true;
            while (parser.nextToken() != JsonToken.END_ARRAY) {
              readRow(parser, page);
            }
          }
          case "next_page_token" ->
              next = token == JsonToken.VALUE_NULL ? next : Optional.of(parser.getText());
          case "complete" -> complete = parser.getBooleanValue();
          case "stats" -> readCost(parser, page);
          default -> parser.skipChildren();
        }
      }
    }
    if (!rows) {
      throw new IOException("the answer has no rows");
    }
    page.end(next, complete);
  }

  private static void readCost(JsonParser parser, RowPage page) throws IOException {
    long fragments = 0;
    long blocks = 0;
    long rowsDecoded = 0;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      switch (name) {
        case "shards" -> fragments = parser.getLongValue();
        case "blocks" -> blocks = parser.getLongValue();
        case "rows_decoded" -> rowsDecoded = parser.getLongValue();
        default -> parser.skipChildren();
      }
    }
    page.cost(fragments, blocks, rowsDecoded);
  }

  private static void readRow(JsonParser parser, RowPage page) throws IOException {
    long timestamp = Queries.NONE;
    long sequence = 0;
    double value = Double.NaN;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      switch (name) {
        case "timestamp" -> timestamp = parser.getLongValue();
        case "sequence" -> sequence = parser.getLongValue();
        case "value" ->
            value =
                token == JsonToken.VALUE_STRING
                    ? Double.parseDouble(parser.getText())
                    : parser.getDoubleValue();
        default -> parser.skipChildren();
      }
    }
    page.add(timestamp, sequence, Double.doubleToRawLongBits(value));
  }
}
