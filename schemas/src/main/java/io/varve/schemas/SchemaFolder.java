package io.varve.schemas;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/**
 * Reads the {@code .avsc} files of one folder, in the order of their names.
 *
 * <p>Each file stands for itself: it holds one schema and refers to no type of another file.
 */
final class SchemaFolder {
  private static final long MAX_FILE_BYTES = 1 << 20;
  private static final int MAX_NESTING = 200;

  /**
   * Types in a schema with each use of a named type counted anew, as Avro's resolver expands it.
   */
  private static final int MAX_EXPANDED_TYPES = 20_000;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(MAX_NESTING).build())
          .build();

  private final Path folder;

  SchemaFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * What a reading of the folder gave.
   *
   * @param schemas what the good files hold
   * @param problems one line for each file that is not a schema
   */
  record Content(List<WriterSchema> schemas, List<String> problems) {}

  /** Lists the files with what changes when their content does, so that re-reads can be spared. */
  Map<Path, String> list() throws IOException {
    Map<Path, String> stamps = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.avsc")) {
      for (Path file : files) {
        BasicFileAttributes a = Files.readAttributes(file, BasicFileAttributes.class);
        stamps.put(file, a.size() + "@" + a.lastModifiedTime());
      }
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    return stamps;
  }

  Content read(Iterable<Path> files) {
    List<WriterSchema> schemas = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Path file : files) {
      try {
        Schema schema = parse(file);
        schemas.add(SchemaMapper.map(String.valueOf(file.getFileName()), schema));
      } catch (IOException | AvroRuntimeException e) {
        problems.add(file.getFileName() + " is no Avro schema: " + firstLine(e));
      }
    }
    return new Content(schemas, problems);
  }

  private static Schema parse(Path file) throws IOException {
    if (Files.size(file) > MAX_FILE_BYTES) {
      throw new IOException("larger than max_bytes=" + MAX_FILE_BYTES);
    }
    String text = Files.readString(file);
    checkNesting(text);
    Schema schema = new Schema.Parser().parse(text);
    if (expandedTypes(schema, new ArrayList<>(), 0) > MAX_EXPANDED_TYPES) {
      throw new IOException("expands to more types than max_types=" + MAX_EXPANDED_TYPES);
    }
    return schema;
  }

  /** Avro's parser recurses: what nests too deep must not reach it. */
  private static void checkNesting(String text) throws IOException {
    try (JsonParser parser = JSON.createParser(text)) {
      while (parser.nextToken() != null) {
        // the constraint of the parser does the check
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // a record inside itself is the same object
  private static int expandedTypes(Schema schema, List<Schema> open, int counted) {
    int total = counted + 1;
    if (total > MAX_EXPANDED_TYPES) {
      return total;
    }
    switch (schema.getType()) {
      case RECORD -> {
        if (open.stream().noneMatch(s -> s == schema)) {
          open.add(schema);
          for (Schema.Field field : schema.getFields()) {
            total = expandedTypes(field.schema(), open, total);
          }
          open.remove(open.size() - 1);
        }
      }
      case ARRAY -> total = expandedTypes(schema.getElementType(), open, total);
      case MAP -> total = expandedTypes(schema.getValueType(), open, total);
      case UNION -> {
        for (Schema branch : schema.getTypes()) {
          total = expandedTypes(branch, open, total);
        }
      }
      default -> {
        // has no parts
      }
    }
    return total;
  }

  private static String firstLine(Exception e) {
    String message = String.valueOf(e.getMessage());
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
