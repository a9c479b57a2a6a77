package io.varve.schemas;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.varve.schemas.Undecodable.Reason;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one JSON object as they are read; reused.
 *
 * <p>Null is the same as absent, except that a missing sequence is 0. The first field of a wrong
 * kind makes the member unusable; the object is still read to its end.
 */
final class JsonMember {
  private static final String SEND_LIKE =
      "send a member like {\"sensor_id\": \"plant-3/temp\", \"timestamp\":"
          + " \"2024-06-01T00:00:00Z\", \"value\": 21.5}";
  private static final int MAX_SHOWN = 40;

  private byte[] id = new byte[256];
  private int idLength;
  private boolean hasTimestamp;
  private long timestampMicros;
  private boolean hasValue;
  private double value;
  private long sequence;
  private int seen;
  private @Nullable Undecodable fault;

  /** Reads the member that begins with a token, to its end. */
  void read(JsonParser in, @Nullable JsonToken first) throws IOException {
    idLength = ReadingSink.MISSING_ID;
    hasTimestamp = false;
    timestampMicros = 0;
    hasValue = false;
    value = 0;
    sequence = 0;
    seen = 0;
    fault = null;
    if (first != JsonToken.START_OBJECT) {
      in.skipChildren();
      fail("the member is no JSON object token=" + first);
      return;
    }
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      JsonToken token = in.nextToken();
      switch (name) {
        case "sensor_id" -> readId(in, token, name);
        case "timestamp" -> readTimestamp(in, token, name);
        case "value" -> readValue(in, token, name);
        case "sequence" -> readSequence(in, token, name);
        default -> in.skipChildren();
      }
    }
  }

  void deliver(ReadingSink sink) {
    if (fault != null) {
      sink.unusable(fault);
    } else {
      sink.reading(id, 0, idLength, hasTimestamp, timestampMicros, hasValue, value, sequence);
    }
  }

  private void readId(JsonParser in, JsonToken token, String name) throws IOException {
    if (!isNews(1, name) || token == JsonToken.VALUE_NULL) {
      in.skipChildren();
    } else if (token == JsonToken.VALUE_STRING) {
      putId(in.getTextCharacters(), in.getTextOffset(), in.getTextLength());
    } else {
      wrongKind(in, token, name, "text");
    }
  }

  private void readTimestamp(JsonParser in, JsonToken token, String name) throws IOException {
    if (!isNews(2, name) || token == JsonToken.VALUE_NULL) {
      in.skipChildren();
    } else if (token.isNumeric() || token == JsonToken.VALUE_STRING) {
      String text = in.getText();
      try {
        timestampMicros =
            token.isNumeric() ? TimeText.ofNumber(text) : TimeText.parseAnywhere(text);
        hasTimestamp = true;
      } catch (TimeText.Invalid e) {
        fail("timestamp " + e.reason() + " value=" + shown(text));
      }
    } else {
      wrongKind(in, token, name, "a number or text");
    }
  }

  private void readValue(JsonParser in, JsonToken token, String name) throws IOException {
    if (!isNews(4, name) || token == JsonToken.VALUE_NULL) {
      in.skipChildren();
    } else if (token.isNumeric()) {
      value = Double.parseDouble(in.getText());
      hasValue = true;
      if (Double.isInfinite(value)) {
        fail("value is beyond the range of a double value=" + shown(in.getText()));
      }
    } else if (token == JsonToken.VALUE_STRING) {
      String text = in.getText();
      hasValue = true;
      switch (text) {
        case "NaN" -> value = Double.NaN;
        case "Infinity" -> value = Double.POSITIVE_INFINITY;
        case "-Infinity" -> value = Double.NEGATIVE_INFINITY;
        default ->
            fail("value is a text other than NaN, Infinity or -Infinity value=" + shown(text));
      }
    } else {
      wrongKind(in, token, name, "a number");
    }
  }

  private void readSequence(JsonParser in, JsonToken token, String name) throws IOException {
    if (!isNews(8, name) || token == JsonToken.VALUE_NULL) {
      in.skipChildren();
    } else if (token == JsonToken.VALUE_NUMBER_INT) {
      String text = in.getText();
      try {
        sequence = Long.parseLong(text);
      } catch (NumberFormatException e) {
        fail("sequence does not fit 64 bits value=" + shown(text));
      }
    } else {
      wrongKind(in, token, name, "a whole number");
    }
  }

  /** Notes that a field is there; false, and a fault, if it was there before. */
  private boolean isNews(int bit, String name) {
    if ((seen & bit) != 0) {
      fail("a field is there twice field=" + name);
      return false;
    }
    seen |= bit;
    return true;
  }

  private void wrongKind(JsonParser in, JsonToken token, String name, String wanted)
      throws IOException {
    in.skipChildren();
    fail("a field is not " + wanted + " field=" + name + " token=" + token);
  }

  private void fail(String detail) {
    if (fault == null) {
      fault = new Undecodable(Reason.BAD_FIELD, detail, SEND_LIKE);
    }
  }

  /** Quotes a text from outside, short and on one line. */
  private static String shown(String text) {
    StringBuilder shown = new StringBuilder("\"");
    for (int i = 0; i < Math.min(text.length(), MAX_SHOWN); i++) {
      char c = text.charAt(i);
      shown.append(Character.isISOControl(c) || Character.isSurrogate(c) ? '?' : c);
    }
    return shown.append(text.length() > MAX_SHOWN ? "…\"" : "\"").toString();
  }

  /**
   * Writes the id in UTF-8. A surrogate without its partner becomes the three bytes that UTF-8
   * forbids, so that the id is refused as no UTF-8 instead of standing for another one.
   */
  private void putId(char[] text, int offset, int length) {
    if (id.length < 3 * length) {
      id = Arrays.copyOf(id, 3 * length);
    }
    int at = 0;
    int end = offset + length;
    for (int i = offset; i < end; i++) {
      char c = text[i];
      if (c < 0x80) {
        id[at++] = (byte) c;
      } else if (c < 0x800) {
        id[at++] = (byte) (0xc0 | (c >> 6));
        id[at++] = (byte) (0x80 | (c & 0x3f));
      } else if (Character.isHighSurrogate(c)
          && i + 1 < end
          && Character.isLowSurrogate(text[i + 1])) {
        int point = Character.toCodePoint(c, text[++i]);
        id[at++] = (byte) (0xf0 | (point >> 18));
        id[at++] = (byte) (0x80 | ((point >> 12) & 0x3f));
        id[at++] = (byte) (0x80 | ((point >> 6) & 0x3f));
        id[at++] = (byte) (0x80 | (point & 0x3f));
      } else {
        id[at++] = (byte) (0xe0 | (c >> 12));
        id[at++] = (byte) (0x80 | ((c >> 6) & 0x3f));
        id[at++] = (byte) (0x80 | (c & 0x3f));
      }
    }
    idLength = at;
  }
}
