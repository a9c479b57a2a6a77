package io.varve.server.client;

/**
 * A JSON number by its text; −0.0 and 17-digit values would not survive every conversion.
 *
 * @param text as written in the document
 */
public record NumberText(String text) {
  @Override
  public String toString() {
    return text;
  }
}
