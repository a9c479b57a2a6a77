package io.varve.load.kafka;

import io.varve.load.target.TargetException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Asks brokers for a topic before anything is sent: a producer would only time out, late. */
public final class TopicCheck {
  private static final int CONNECT_MILLIS = 2_000;
  private static final long WAIT_SECONDS = 15;

  private TopicCheck() {}

  /**
   * Requires brokers that answer, and a topic on them.
   *
   * @throws TargetException if there is one or the other not
   */
  public static void require(String bootstrap, String topic, Map<String, String> overrides)
      throws TargetException {
    if (!anyListens(bootstrap)) {
      throw new TargetException(
          TargetException.Kind.UNREACHABLE, "no broker answers: brokers=" + bootstrap);
    }
    Map<String, Object> config = new HashMap<>(overrides);
    config.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    config.put(AdminClientConfig.CLIENT_ID_CONFIG, "varve-load-check");
    // Closing waits for what was asked: not longer than we do.
    config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, WAIT_SECONDS * 1_000 + "");
    config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, WAIT_SECONDS * 1_000 + "");
    try (Admin admin = Admin.create(config)) {
      var unused =
          admin.describeTopics(List.of(topic)).allTopicNames().get(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof UnknownTopicOrPartitionException
          ? new TargetException(
              TargetException.Kind.NO_TOPIC, "the topic does not exist: topic=" + topic, e)
          : new TargetException(
              TargetException.Kind.UNREACHABLE, "the brokers refuse: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new TargetException(
          TargetException.Kind.UNREACHABLE,
          "the brokers do not answer within " + WAIT_SECONDS + " s: brokers=" + bootstrap,
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TargetException(TargetException.Kind.UNREACHABLE, "interrupted", e);
    } catch (KafkaException e) {
      throw badSettings(e);
    }
  }

  private static boolean anyListens(String bootstrap) {
    for (String address : bootstrap.split(",", -1)) {
      int colon = address.lastIndexOf(':');
      String host = address.substring(0, Math.max(colon, 0)).strip().replaceAll("[\\[\\]]", "");
      try (Socket socket = new Socket()) {
        int port = Integer.parseInt(address.substring(colon + 1).strip());
        socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
        return true;
      } catch (IOException | IllegalArgumentException e) {
        // not this one
      }
    }
    return false;
  }

  static TargetException badSettings(KafkaException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new TargetException(
        TargetException.Kind.SETTINGS, "Kafka refuses the settings: " + cause.getMessage(), e);
  }
}
