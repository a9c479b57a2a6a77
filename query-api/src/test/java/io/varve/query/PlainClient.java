package io.varve.query;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An HTTP/1.1 client on one kept-alive socket that sends exactly what it is told, malformed or not.
 * Single-threaded.
 */
public final class PlainClient implements AutoCloseable {
  private final int port;
  private Socket socket;
  private InputStream in;
  private final byte[] buffer = new byte[64 * 1024];
  private int position;
  private int limit;

  public PlainClient(int port) throws IOException {
    this.port = port;
    this.socket = new Socket("127.0.0.1", port);
    this.in = socket.getInputStream();
    settle();
  }

  private void settle() throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
  }

  /** One answer; the body is a copy. */
  public record Reply(int status, Map<String, List<String>> headers, byte[] body) {
    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    public Optional<String> header(String name) {
      List<String> all = headers.get(name);
      return all == null ? Optional.empty() : Optional.of(all.get(0));
    }
  }

  public Reply get(String address, String... headers) throws IOException {
    return send("GET", address, new byte[0], headers);
  }

  public Reply post(String address, String body, String... headers) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String[] all = Arrays.copyOf(headers, headers.length + 1);
    all[headers.length] = "Content-Length: " + bytes.length;
    return send("POST", address, bytes, all);
  }

  /** Sends one request and reads its answer. */
  public Reply send(String method, String address, byte[] body, String... headers)
      throws IOException {
    StringBuilder head = new StringBuilder(256);
    head.append(method).append(' ').append(address).append(" HTTP/1.1\r\nHost: localhost:");
    head.append(port).append("\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    byte[] start = head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
    byte[] whole = Arrays.copyOf(start, start.length + body.length);
    System.arraycopy(body, 0, whole, start.length, body.length);
    sendBytes(whole);
    return read(method.equals("HEAD"));
  }

  /** Sends bytes as they are. */
  public void sendBytes(byte[] bytes) throws IOException {
    if (socket.isClosed()) {
      socket = new Socket("127.0.0.1", port);
      in = socket.getInputStream();
      position = limit = 0;
      settle();
    }
    socket.getOutputStream().write(bytes);
  }

  /** Reads one answer. */
  public Reply read(boolean head) throws IOException {
    String status = line();
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers
          .computeIfAbsent(line.substring(0, colon), name -> new java.util.ArrayList<>())
          .add(line.substring(colon + 1).strip());
    }
    int code = Integer.parseInt(status.substring(9, 12));
    byte[] body = head || code == 204 ? new byte[0] : body(headers);
    if (value(headers, "Connection").equals("close")) {
      socket.close();
    }
    return new Reply(code, headers, body);
  }

  private static String value(Map<String, List<String>> headers, String name) {
    return headers.getOrDefault(name, List.of("")).get(0).toLowerCase(Locale.ROOT);
  }

  private byte[] body(Map<String, List<String>> headers) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (value(headers, "Transfer-Encoding").equals("chunked")) {
      while (true) {
        int size = Integer.parseInt(line(), 16);
        take(size, body);
        line();
        if (size == 0) {
          return body.toByteArray();
        }
      }
    }
    if (headers.containsKey("Content-Length")) {
      take(Integer.parseInt(value(headers, "Content-Length")), body);
    } else {
      while (fill()) {
        take(limit - position, body);
      }
    }
    return body.toByteArray();
  }

  private boolean fill() throws IOException {
    position = 0;
    limit = Math.max(0, in.read(buffer));
    return limit > 0;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder(64);
    while (true) {
      if (position == limit && !fill()) {
        throw new EOFException("the server closed the connection");
      }
      char c = (char) (buffer[position++] & 0xff);
      if (c == '\n') {
        return line.toString();
      }
      if (c != '\r') {
        line.append(c);
      }
    }
  }

  private void take(int count, ByteArrayOutputStream target) throws IOException {
    for (int left = count; left > 0; ) {
      if (position == limit && !fill()) {
        throw new EOFException("the server closed the connection");
      }
      int some = Math.min(left, limit - position);
      target.write(buffer, position, some);
      position += some;
      left -= some;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
