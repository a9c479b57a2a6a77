package io.varve.schemas;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.varve.schemas.Undecodable.Reason;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a reading written as a JSON object, or an array of them.
 *
 * <p>Fields are those of the Avro schema; unknown ones are skipped. A timestamp is a number or a
 * text of {@link TimeText}; a value is a number, or one of the texts NaN, Infinity and -Infinity. A
 * member with a field of another kind is told to the sink as unusable and its neighbours go on;
 * what is not well-formed JSON ends the record, after the members before it.
 */
final class JsonReadings {
  private static final int MAX_NESTING = 32;
  private static final int MAX_NAME_LENGTH = 1024;
  private static final int MAX_NUMBER_LENGTH = 400;
  private static final int MAX_STRING_LENGTH = 1 << 16;

  /** How Jackson begins what it says of an end between entries, which is no JsonEOFException. */
  private static final String BETWEEN_ENTRIES = "Unexpected end-of-input within/between";

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_NESTING)
                  .maxNameLength(MAX_NAME_LENGTH)
                  .maxNumberLength(MAX_NUMBER_LENGTH)
                  .maxStringLength(MAX_STRING_LENGTH)
                  .build())
          .build();

  private final JsonMember member = new JsonMember();

  /** Tells whether bytes begin as a JSON object or array does, after white space. */
  static boolean looksLikeJson(byte[] bytes) {
    for (byte b : bytes) {
      if (b == '{' || b == '[') {
        return true;
      }
      if (b != ' ' && b != '\t' && b != '\n' && b != '\r') {
        return false;
      }
    }
    return false;
  }

  Optional<Undecodable> read(byte[] record, ReadingSink sink) {
    int members = 0;
    try (JsonParser in = JSON.createParser(record)) {
      if (in.nextToken() == JsonToken.START_ARRAY) {
        for (JsonToken t = in.nextToken(); t != JsonToken.END_ARRAY; t = in.nextToken()) {
          member.read(in, t);
          member.deliver(sink);
          members++;
        }
        return trailing(in);
      }
      member.read(in, JsonToken.START_OBJECT);
      Optional<Undecodable> trailing = trailing(in);
      if (trailing.isEmpty()) {
        member.deliver(sink);
      }
      return trailing;
    } catch (IOException e) {
      return Optional.of(malformed(e, members));
    }
  }

  private static Optional<Undecodable> trailing(JsonParser in) throws IOException {
    @Nullable JsonToken next = in.nextToken();
    return next == null
        ? Optional.empty()
        : Optional.of(
            new Undecodable(
                Reason.TRAILING_BYTES,
                "more follows the JSON value offset=" + in.currentTokenLocation().getByteOffset(),
                "send one JSON object a record, or many as one JSON array"));
  }

  private static Undecodable malformed(IOException cause, int members) {
    String detail =
        firstLine(
            cause instanceof JsonProcessingException json
                ? json.getOriginalMessage()
                : String.valueOf(cause.getMessage()));
    long offset =
        cause instanceof JsonProcessingException json && json.getLocation() != null
            ? json.getLocation().getByteOffset()
            : -1;
    Reason reason =
        cause instanceof JsonEOFException || detail.startsWith(BETWEEN_ENTRIES)
            ? Reason.TRUNCATED
            : cause instanceof StreamConstraintsException ? Reason.LIMIT : Reason.MALFORMED_JSON;
    return new Undecodable(
        reason,
        "the record is no well-formed JSON members_read="
            + members
            + " offset="
            + offset
            + " cause="
            + detail,
        "send one JSON object with sensor_id, timestamp and value, or an array of them, in UTF-8");
  }

  private static String firstLine(@Nullable String message) {
    String text = String.valueOf(message);
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }
}
