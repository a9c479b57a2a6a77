package io.varve.load.http;

import io.varve.load.measure.Latency;
import io.varve.load.measure.Summary;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/**
 * What asking costs when the answer costs nothing: a socket of this process that writes the same
 * bytes for every request, asked over {@link HttpLink} and over the JDK's client.
 */
final class HttpLinkBenchmark {
  private static final int REQUESTS = 20_000;
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(StandardCharsets.UTF_8);

  private HttpLinkBenchmark() {}

  /** One question, answered. */
  private interface Asking {
    void ask() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      URI node = URI.create("http://127.0.0.1:" + server.getLocalPort());
      Thread answering = new Thread(() -> answer(server), "answers");
      answering.setDaemon(true);
      answering.start();
      try (HttpLink link = new HttpLink(node)) {
        measure("HttpLink", () -> link.get("/v1/latest"));
      }
      HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
      HttpRequest request = HttpRequest.newBuilder(node.resolve("/v1/latest")).build();
      measure("java.net.http", () -> client.send(request, HttpResponse.BodyHandlers.ofByteArray()));
    }
  }

  private static void measure(String name, Asking asking) throws Exception {
    for (int round = 0; round < 3; round++) {
      Latency latency = new Latency(name, 0);
      for (int i = 0; i < REQUESTS; i++) {
        long start = System.nanoTime();
        asking.ask();
        latency.record(0, System.nanoTime() - start);
      }
      Summary summary = latency.turnOver();
      System.out.println(
          name + " p50 " + Summary.text(summary.p50()) + ", p99 " + Summary.text(summary.p99()));
    }
  }

  private static void answer(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        socket.setTcpNoDelay(true);
        InputStream in = socket.getInputStream();
        byte[] request = new byte[8192];
        while (in.read(request) > 0) { // a request fits one read
          socket.getOutputStream().write(ANSWER);
        }
      } catch (java.io.IOException e) {
        // the client left, or all is done
      }
    }
  }
}
