package io.varve.ingest;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens to the stream when a record cannot be sent. Made by Streams from its class name.
 *
 * <p>A fault that may pass has the task go back to its last commit and route again. A dead letter
 * that is too large even after it was cut is given up with a log line, for a bad record never stops
 * the stream; anything else does, since rows would be lost.
 */
public final class SendFaultHandler implements ProductionExceptionHandler {
  /** Setting that names the dead-letter topic. */
  static final String DEAD_LETTER_TOPIC = "varve.dead.letter.topic";

  private static final Logger LOG = LoggerFactory.getLogger(SendFaultHandler.class);

  private String deadLetterTopic = "";

  @Override
  public void configure(Map<String, ?> configs) {
    deadLetterTopic = String.valueOf(configs.get(DEAD_LETTER_TOPIC));
  }

  @Override
  public Response handleError(
      ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception fault) {
    if (fault instanceof RetriableException) {
      return Response.retry();
    }
    if (fault instanceof RecordTooLargeException && record.topic().equals(deadLetterTopic)) {
      LOG.error(
          "Dead letter too large, given up: source={}-{} offset={} cause={}",
          context.topic(),
          context.partition(),
          offset(record),
          fault.toString());
      return Response.resume();
    }
    return Response.fail();
  }

  /** Offset of the record that the letter is about; the context's is that of its bundle. */
  private static String offset(ProducerRecord<byte[], byte[]> letter) {
    Header offset = letter.headers().lastHeader("__streams.errors.offset");
    return offset == null ? "unknown" : new String(offset.value(), StandardCharsets.US_ASCII);
  }
}
