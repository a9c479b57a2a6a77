package io.varve.server.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** TCP ports of this machine. */
public final class Ports {
  private static final int CONNECT_MILLIS = 2000;

  private Ports() {}

  /**
   * Checks that a server could listen on an address now.
   *
   * @throws IOException when the port is taken or the address is none of this machine's; the
   *     message says which
   */
  public static void requireFree(String bind, int port) throws IOException {
    InetSocketAddress address = new InetSocketAddress(bind, port);
    if (address.isUnresolved()) {
      throw new IOException("the name does not resolve");
    }
    try (ServerSocket probe = new ServerSocket()) {
      // As servers do; otherwise connections of a node just stopped would hold the port for a
      // minute.
      probe.setReuseAddress(true);
      probe.bind(address);
    } catch (IOException e) {
      String reason = String.valueOf(e.getMessage());
      throw new IOException(
          reason.contains("in use") ? "the port is taken by another process" : reason, e);
    }
  }

  /**
   * Tells whether anything listens at one of several addresses, waiting up to two seconds for each.
   *
   * @param addresses {@code host:port,host:port}
   */
  public static boolean anyListens(String addresses) {
    for (String address : addresses.split(",")) {
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

  /** Finds a loopback port that is free now. */
  public static int free() throws IOException {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return probe.getLocalPort();
    }
  }

  /** Joins host and port, an IPv6 address in brackets. */
  public static String hostPort(String host, int port) {
    return host.indexOf(':') >= 0 && !host.startsWith("[")
        ? "[" + host + "]:" + port
        : host + ":" + port;
  }
}
