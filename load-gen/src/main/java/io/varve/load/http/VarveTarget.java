package io.varve.load.http;

import io.varve.load.kafka.KafkaSink;
import io.varve.load.kafka.TopicCheck;
import io.varve.load.target.Queries;
import io.varve.load.target.RecordSink;
import io.varve.load.target.Target;
import io.varve.load.target.TargetException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * A Varve installation: fed through a topic, asked at a node.
 *
 * @param bootstrap brokers as {@code host:port}, separated by commas
 * @param topic a source topic of the node
 * @param node address of the node
 * @param producerSettings Kafka settings that win over the sink's own
 */
public record VarveTarget(
    String bootstrap, String topic, URI node, Map<String, String> producerSettings)
    implements Target {

  public VarveTarget {
    producerSettings = Map.copyOf(producerSettings);
  }

  @Override
  public String describe() {
    return "Varve at " + node + ", fed through " + topic + " at " + bootstrap;
  }

  @Override
  public RecordSink openSink() throws TargetException {
    TopicCheck.require(bootstrap, topic, producerSettings);
    KafkaSink sink = KafkaSink.open(bootstrap, topic, "varve-load", producerSettings);
    try {
      sink.connect();
    } catch (TargetException e) {
      sink.close(Duration.ZERO);
      throw e;
    }
    return sink;
  }

  @Override
  public Queries openQueries() {
    return new VarveQueries(node);
  }
}
