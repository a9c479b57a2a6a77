package io.varve.load.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/** The form of a tree: a line for each member with its path and type, sorted. */
final class TreeShape {
  private TreeShape() {}

  static String of(Map<String, ?> tree) {
    TreeSet<String> lines = new TreeSet<>();
    add("", tree, lines);
    return String.join("\n", lines) + "\n";
  }

  /** The form that a resource of this package pins. */
  static String golden(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(TreeShape.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void add(String path, Object node, TreeSet<String> lines) {
    if (node instanceof Map<?, ?> map) {
      map.forEach((name, value) -> add(path + "/" + name, value, lines));
    } else if (node instanceof List<?> list) {
      lines.add(path + " list");
      list.stream().filter(Map.class::isInstance).forEach(each -> add(path + "/*", each, lines));
    } else {
      lines.add(path + " " + type(node));
    }
  }

  private static String type(Object leaf) {
    if (leaf instanceof Long || leaf instanceof Integer) {
      return "whole number";
    }
    if (leaf instanceof Double) {
      return "number";
    }
    if (leaf instanceof Boolean) {
      return "boolean";
    }
    if (leaf instanceof Optional<?>) {
      return "null";
    }
    return "text";
  }
}
