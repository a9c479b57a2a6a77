package io.varve.load.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Looking things up in a tree; what is not there is empty. */
final class Tree {
  private Tree() {}

  /** The object at a path of names. */
  @SuppressWarnings("unchecked") // trees have maps by name only
  static Map<String, Object> object(Map<String, ?> tree, String... path) {
    Object at = tree;
    for (String name : path) {
      at = at instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return at instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  /** The objects of a list. */
  @SuppressWarnings("unchecked") // trees have maps by name only
  static List<Map<String, Object>> objects(Map<String, ?> tree, String name) {
    List<Map<String, Object>> objects = new ArrayList<>();
    for (Object element : list(tree, name)) {
      if (element instanceof Map<?, ?> map) {
        objects.add((Map<String, Object>) map);
      }
    }
    return objects;
  }

  static List<?> list(Map<String, ?> tree, String name) {
    return tree.get(name) instanceof List<?> list ? list : List.of();
  }

  /** A member as text; a missing one is a dash. */
  static String text(Map<String, ?> tree, String name) {
    Object value = tree.get(name);
    return value == null || value instanceof Optional<?> ? "–" : value.toString();
  }

  static OptionalDouble number(Map<String, ?> tree, String name) {
    return tree.get(name) instanceof Number number
        ? OptionalDouble.of(number.doubleValue())
        : OptionalDouble.empty();
  }
}
