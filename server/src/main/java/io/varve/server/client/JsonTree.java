package io.varve.server.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * JSON documents as trees of {@link LinkedHashMap}, {@link List}, String, {@link NumberText},
 * Number and Boolean; a JSON null is {@link Optional#empty()}. Jackson is imported here only.
 */
public final class JsonTree {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonTree() {}

  /**
   * Reads one document.
   *
   * @throws IOException when the text is no JSON, or what the stream throws
   */
  public static Object read(InputStream in) throws IOException {
    try (JsonParser parser = JSON.createParser(in)) {
      if (parser.nextToken() == null) {
        throw new IOException("an empty answer");
      }
      return value(parser);
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
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new NumberText(parser.getText());
      case VALUE_TRUE -> Boolean.TRUE;
      case VALUE_FALSE -> Boolean.FALSE;
      case VALUE_NULL -> Optional.empty();
      default -> throw new IOException("not a JSON document: token=" + parser.currentToken());
    };
  }

  /** Writes documents into one stream, one after another. */
  public static final class Printer {
    private final JsonGenerator out;

    /** Starts to write; the writer stays open. */
    public Printer(Writer writer, boolean indented) {
      try {
        out = JSON.createGenerator(writer).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
      if (indented) {
        out.useDefaultPrettyPrinter();
      }
    }

    public void startArray() throws IOException {
      out.writeStartArray();
    }

    public void endArray() throws IOException {
      out.writeEndArray();
    }

    public void write(Object value) throws IOException {
      if (value instanceof Map<?, ?> object) {
        out.writeStartObject();
        for (Map.Entry<?, ?> member : object.entrySet()) {
          out.writeFieldName(String.valueOf(member.getKey()));
          write(member.getValue());
        }
        out.writeEndObject();
      } else if (value instanceof List<?> array) {
        out.writeStartArray();
        for (Object element : array) {
          write(element);
        }
        out.writeEndArray();
      } else if (value instanceof NumberText number) {
        out.writeNumber(number.text());
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

    /** Pushes everything to the writer. */
    public void flush() throws IOException {
      out.flush();
    }
  }
}
