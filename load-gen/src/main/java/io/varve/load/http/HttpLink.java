package io.varve.load.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One kept-alive HTTP/1.1 connection that asks one thing at a time. It connects when it is first
 * used, and anew when the connection was lost. Single-threaded but for {@link #close}; the body is
 * lent until the next request.
 *
 * <p>The JDK's client costs more than a small answer of the node does; a blocking socket is near
 * the least that any client pays.
 */
final class HttpLink implements AutoCloseable {
  private static final int CONNECT_MILLIS = 2_000;
  private static final int ANSWER_MILLIS = 30_000;
  private static final int LONGEST_LINE = 64 * 1024;

  /** Bytes that can be had without a copy. */
  private static final class Buffer extends ByteArrayOutputStream {
    Buffer() {
      super(64 * 1024);
    }

    byte[] bytes() {
      return buf;
    }
  }

  private final String host;
  private final int port;
  private final String hostLine;

  /** Path of the node's address, before all paths asked for; usually empty. */
  private final String prefix;

  private volatile @Nullable Socket socket;
  private volatile boolean closed;
  private InputStream in = InputStream.nullInputStream();
  private final byte[] chunk = new byte[64 * 1024];
  private int position;
  private int limit;
  private final Buffer body = new Buffer();
  private int contentLength;
  private boolean chunked;
  private boolean closing;

  HttpLink(URI node) {
    this.host = node.getHost();
    this.port = node.getPort() < 0 ? 80 : node.getPort();
    String path = node.getRawPath() == null ? "" : node.getRawPath();
    this.prefix = path.replaceFirst("/+$", "");
    this.hostLine = " HTTP/1.1\r\nHost: " + host + ":" + port + "\r\n";
  }

  /** The body of the last answer. */
  byte[] body() {
    return body.bytes();
  }

  int bodyLength() {
    return body.size();
  }

  String bodyText() {
    return body.toString(StandardCharsets.UTF_8);
  }

  /** Asks with GET and returns the status. */
  int get(String pathAndQuery) throws IOException {
    return send(
        ("GET " + prefix + pathAndQuery + hostLine + "\r\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Asks with POST and a body in JSON, and returns the status. */
  int post(String pathAndQuery, String json) throws IOException {
    byte[] content = json.getBytes(StandardCharsets.UTF_8);
    String head =
        "POST "
            + prefix
            + pathAndQuery
            + hostLine
            + "Content-Type: application/json\r\nContent-Length: "
            + content.length
            + "\r\n\r\n";
    byte[] start = head.getBytes(StandardCharsets.UTF_8);
    byte[] request = java.util.Arrays.copyOf(start, start.length + content.length);
    System.arraycopy(content, 0, request, start.length, content.length);
    return send(request);
  }

  private int send(byte[] request) throws IOException {
    boolean reused = socket != null;
    try {
      return attempt(request);
    } catch (IOException e) {
      drop();
      if (!reused || e instanceof SocketTimeoutException) {
        throw e;
      }
      return attempt(request); // the node had closed an idle connection, or was started anew
    }
  }

  private int attempt(byte[] request) throws IOException {
    Socket to = socket;
    if (to == null) {
      to = connect();
    }
    to.getOutputStream().write(request);
    try {
      return read();
    } catch (NumberFormatException e) {
      drop();
      throw new IOException("what answers speaks no HTTP", e);
    }
  }

  private Socket connect() throws IOException {
    if (closed) {
      throw new IOException("asking has ended");
    }
    Socket fresh = new Socket();
    try {
      fresh.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
      fresh.setTcpNoDelay(true);
      fresh.setSoTimeout(ANSWER_MILLIS);
      in = fresh.getInputStream();
    } catch (IOException e) {
      fresh.close();
      throw e;
    }
    position = 0;
    limit = 0;
    socket = fresh;
    if (closed) {
      drop();
      throw new IOException("asking has ended");
    }
    return fresh;
  }

  private int read() throws IOException {
    String status = line();
    if (!status.startsWith("HTTP/1.") || status.length() < 12) {
      throw new IOException("what answers speaks no HTTP");
    }
    readHeaders();
    body.reset();
    if (chunked) {
      for (int size = chunkSize(); size > 0; size = chunkSize()) {
        take(size);
        line();
      }
      line();
    } else if (contentLength >= 0) {
      take(contentLength);
    } else {
      throw new IOException("the answer does not say how long it is");
    }
    if (closing) {
      drop();
    }
    return Integer.parseInt(status.substring(9, 12));
  }

  private void readHeaders() throws IOException {
    contentLength = -1;
    chunked = false;
    closing = false;
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      String name = line.substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT);
      String value = line.substring(colon + 1).strip();
      switch (name) {
        case "content-length" -> contentLength = Integer.parseInt(value);
        case "transfer-encoding" -> chunked = value.equalsIgnoreCase("chunked");
        case "connection" -> closing = value.equalsIgnoreCase("close");
        default -> {
          // nothing that matters here
        }
      }
    }
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line().replaceFirst(";.*", "").strip(), 16);
  }

  private void fill() throws IOException {
    position = 0;
    limit = Math.max(0, in.read(chunk));
    if (limit == 0) {
      throw new EOFException("the node closed the connection");
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder(64);
    while (line.length() < LONGEST_LINE) {
      if (position == limit) {
        fill();
      }
      char c = (char) (chunk[position++] & 0xff);
      if (c == '\n') {
        return line.toString();
      }
      if (c != '\r') {
        line.append(c);
      }
    }
    throw new IOException("what answers speaks no HTTP");
  }

  private void take(int count) throws IOException {
    for (int left = count; left > 0; ) {
      if (position == limit) {
        fill();
      }
      int some = Math.min(left, limit - position);
      body.write(chunk, position, some);
      position += some;
      left -= some;
    }
  }

  /** Ends it for good, from any thread: a request under way fails, and so does any later one. */
  @Override
  public void close() {
    closed = true;
    drop();
  }

  private void drop() {
    Socket open = socket;
    socket = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // it is given up in any case
      }
    }
  }
}
