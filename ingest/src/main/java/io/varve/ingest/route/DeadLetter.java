package io.varve.ingest.route;

import io.varve.ingest.check.Refusal;
import io.varve.schemas.Undecodable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with one source record, gathered while it is read, and the dead letter that says
 * so. Reused from record to record; single-threaded.
 *
 * <p>A dead letter has the record's key, value and headers untouched; the headers {@code
 * __streams.errors.*} as Kafka Streams writes them; {@code varve.reason} (reasons,
 * comma-separated), {@code varve.hint} (what would fix it) and {@code varve.members} (indexes of
 * bad members, comma-separated; {@code 50-} is that member and all after it). Only a record too
 * large for the dead-letter topic loses the end of its value, and {@code varve.cut} then tells its
 * full size.
 */
final class DeadLetter {
  /**
   * Most bytes of the header that lists bad members; the list of a longer one ends in {@code …}.
   */
  private static final int MAX_MEMBERS_LENGTH = 4096;

  /** Most characters of a message or hint: they quote input, which has no bound of its own. */
  private static final int MAX_TEXT_LENGTH = 1024;

  /** Room for the headers that a dead letter adds to its record. */
  static final int ADDED_BYTES = 16 << 10;

  /** What is kept of a value that does not fit. */
  private static final int CUT_VALUE_BYTES = 64 << 10;

  private final int maxBytes;
  private final EnumSet<Refusal> refusals = EnumSet.noneOf(Refusal.class);
  private final StringBuilder members = new StringBuilder();
  private Optional<Undecodable> unusable = Optional.empty();
  private Optional<Undecodable> undecodable = Optional.empty();
  private int refused;
  private int firstRefused;

  /**
   * @param maxBytes largest record that the dead-letter topic takes
   */
  DeadLetter(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  void clear() {
    refusals.clear();
    members.setLength(0);
    unusable = Optional.empty();
    undecodable = Optional.empty();
    refused = 0;
  }

  /** Tells whether nothing is wrong with the record. */
  boolean isEmpty() {
    return refused == 0 && undecodable.isEmpty();
  }

  /** Tells whether the record could not be decoded, or not to its end. */
  boolean hasUndecodable() {
    return undecodable.isPresent();
  }

  void refuse(int member, Refusal refusal) {
    if (refused++ == 0) {
      firstRefused = member;
    }
    refusals.add(refusal);
    addMember(member, "");
  }

  void refuse(int member, Undecodable fault) {
    if (unusable.isEmpty()) {
      unusable = Optional.of(fault);
    }
    refuse(member, Refusal.BAD_FIELD);
  }

  /**
   * @param member the member where reading stopped
   */
  void cannotDecode(int member, Undecodable fault) {
    undecodable = Optional.of(fault);
    if (member > 0) {
      addMember(member, "-");
    }
  }

  private void addMember(int member, String suffix) {
    if (members.length() < MAX_MEMBERS_LENGTH) {
      members.append(members.length() == 0 ? "" : ",").append(member).append(suffix);
      if (members.length() >= MAX_MEMBERS_LENGTH) {
        members.append(",…");
      }
    }
  }

  /** Returns the dead letter of a record that came in at {@code arrivalMillis}. */
  Record<byte[], byte[]> of(ConsumerRecord<byte[], byte[]> record, long arrivalMillis) {
    Headers headers = new RecordHeaders(record.headers().toArray());
    add(headers, "__streams.errors.exception", exceptionName());
    String message = cut(message());
    add(headers, "__streams.errors.message", message);
    add(headers, "__streams.errors.stacktrace", exceptionName() + ": " + message + "\n");
    add(headers, "__streams.errors.topic", record.topic());
    add(headers, "__streams.errors.partition", Integer.toString(record.partition()));
    add(headers, "__streams.errors.offset", Long.toString(record.offset()));
    add(headers, "varve.reason", reasons());
    add(headers, "varve.hint", cut(hints()));
    if (members.length() > 0) {
      add(headers, "varve.members", members.toString());
    }
    byte @Nullable [] value = record.value();
    if (value != null && size(record.key(), value, headers) > maxBytes) {
      add(headers, "varve.cut", "value-bytes=" + value.length);
      value = Arrays.copyOf(value, Math.min(value.length, CUT_VALUE_BYTES));
    }
    return new Record<>(record.key(), value, arrivalMillis, headers);
  }

  private String exceptionName() {
    return undecodable.isPresent() ? Undecodable.class.getName() : Refusal.class.getName();
  }

  private String message() {
    if (undecodable.isPresent()) {
      return undecodable.get().detail();
    }
    Refusal first = refusals.iterator().next();
    String detail =
        first == Refusal.BAD_FIELD && unusable.isPresent()
            ? unusable.get().detail()
            : first.detail();
    return detail + " member=" + firstRefused + " refused=" + refused;
  }

  private String reasons() {
    String refusedFor = refusals.stream().map(Refusal::text).collect(Collectors.joining(","));
    return undecodable
        .map(fault -> fault.reason().text() + (refusedFor.isEmpty() ? "" : "," + refusedFor))
        .orElse(refusedFor);
  }

  private String hints() {
    String refusedFor =
        refusals.stream()
            .map(
                refusal ->
                    refusal == Refusal.BAD_FIELD && unusable.isPresent()
                        ? unusable.get().hint()
                        : refusal.hint())
            .collect(Collectors.joining("; "));
    return undecodable
        .map(fault -> fault.hint() + (refusedFor.isEmpty() ? "" : "; " + refusedFor))
        .orElse(refusedFor);
  }

  private static String cut(String text) {
    return text.length() <= MAX_TEXT_LENGTH ? text : text.substring(0, MAX_TEXT_LENGTH) + "…";
  }

  private static void add(Headers headers, String name, String value) {
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }

  private static long size(byte @Nullable [] key, byte[] value, Headers headers) {
    long size = value.length + (key == null ? 0 : key.length);
    for (Header header : headers) {
      size +=
          header.key().length() * 3L + (header.value() == null ? 0 : header.value().length) + 10;
    }
    return size;
  }
}
