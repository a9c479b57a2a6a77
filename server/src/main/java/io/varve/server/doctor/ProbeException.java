package io.varve.server.doctor;

/** The brokers do not tell what they were asked for. The message says why. */
public final class ProbeException extends Exception {
  private static final long serialVersionUID = 1L;

  ProbeException(String message) {
    super(message);
  }

  ProbeException(String message, Throwable cause) {
    super(message, cause);
  }
}
