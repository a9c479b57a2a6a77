package io.varve.schemas;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schemas that readings may be written by: the released ones, and those that writers put into a
 * folder as {@code .avsc} files.
 *
 * <p>The folder is read when it is opened, and again, at most once a second and only if its listing
 * has changed, when a fingerprint is asked for that is not known. A schema that was known once
 * stays known. Shared by all threads.
 */
public final class WriterSchemas {
  /** Shortest time between two looks at the folder. */
  static final Duration REREAD_INTERVAL = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(WriterSchemas.class);

  private final Optional<Path> folder;
  private final LongSupplier nanoTime;
  private volatile Map<Long, WriterSchema> known;
  private Map<Path, String> listing = Map.of();
  private volatile long lastLookNanos;

  private WriterSchemas(Optional<Path> folder, LongSupplier nanoTime) {
    this.folder = folder;
    this.nanoTime = nanoTime;
    this.known = releasedSchemas();
    this.lastLookNanos = nanoTime.getAsLong();
  }

  /** Returns the released schemas alone. */
  public static WriterSchemas released() {
    return new WriterSchemas(Optional.empty(), () -> 0L);
  }

  /**
   * Returns the released schemas and those of a folder.
   *
   * @throws SchemasRefusedException if the folder cannot be read, a file is no schema, or two
   *     schemas have one fingerprint and different meaning
   */
  public static WriterSchemas open(Path folder) throws SchemasRefusedException {
    return open(folder, System::nanoTime);
  }

  static WriterSchemas open(Path folder, LongSupplier nanoTime) throws SchemasRefusedException {
    if (!Files.isDirectory(folder)) {
      throw new SchemasRefusedException(
          "The schemas folder "
              + folder
              + " is not a folder. Name one that exists with --schemas.");
    }
    WriterSchemas schemas = new WriterSchemas(Optional.of(folder), nanoTime);
    List<String> problems;
    try {
      problems = schemas.read(new SchemaFolder(folder));
    } catch (IOException e) {
      throw new SchemasRefusedException(
          "The schemas folder " + folder + " cannot be read: " + e.getMessage() + ".");
    }
    if (!problems.isEmpty()) {
      throw new SchemasRefusedException(
          "The schemas folder "
              + folder
              + " cannot be used: "
              + String.join("; ", problems)
              + ". Correct or remove what is named, then start again.");
    }
    return schemas;
  }

  private static Map<Long, WriterSchema> releasedSchemas() {
    Map<Long, WriterSchema> schemas = new HashMap<>();
    for (Released released : Released.values()) {
      String origin = "the released " + released.schema().getFullName();
      schemas.put(released.fingerprint(), SchemaMapper.map(origin, released.schema()));
    }
    return Map.copyOf(schemas);
  }

  /** Number of schemas known now. */
  public int size() {
    return known.size();
  }

  /** Finds the schema of a fingerprint, looking at the folder again if that is due. */
  Optional<WriterSchema> find(long fingerprint) {
    WriterSchema schema = known.get(fingerprint);
    if (schema == null && folder.isPresent() && lookIsDue()) {
      lookAgain(folder.get());
      schema = known.get(fingerprint);
    }
    return Optional.ofNullable(schema);
  }

  /** What to do about a fingerprint that is not known. */
  String whereToPutSchemas() {
    return folder.isPresent()
        ? "put the writer's schema as an .avsc file into the folder " + folder.get()
        : "put the writer's schema as an .avsc file into a folder and name it with --schemas";
  }

  private boolean lookIsDue() {
    return nanoTime.getAsLong() - lastLookNanos >= REREAD_INTERVAL.toNanos();
  }

  private synchronized void lookAgain(Path path) {
    if (!lookIsDue()) {
      return;
    }
    lastLookNanos = nanoTime.getAsLong();
    try {
      for (String problem : read(new SchemaFolder(path))) {
        LOG.warn("schemas folder: a file is left out folder={} problem={}", path, problem);
      }
    } catch (IOException e) {
      LOG.warn("schemas folder cannot be read folder={} cause={}", path, e.toString());
    }
  }

  /** Adds what the folder holds, if it has changed; returns what is wrong with it. */
  private synchronized List<String> read(SchemaFolder files) throws IOException {
    Map<Path, String> now = files.list();
    if (now.equals(listing)) {
      return List.of();
    }
    SchemaFolder.Content content = files.read(now.keySet());
    listing = now;
    List<String> problems = new ArrayList<>(content.problems());
    Map<Long, WriterSchema> all = new HashMap<>(known);
    for (WriterSchema schema : content.schemas()) {
      WriterSchema other = all.putIfAbsent(schema.fingerprint(), schema);
      if (other == null) {
        announce(schema);
      } else if (!other.meaning().equals(schema.meaning())) {
        problems.add(conflict(other, schema));
      }
    }
    known = Map.copyOf(all);
    return problems;
  }

  private static void announce(WriterSchema schema) {
    if (schema.unusable().isPresent()) {
      LOG.warn(
          "writer's schema read, its records will be dead-lettered file={} fingerprint={} why={}",
          schema.origin(),
          WriterSchema.hex(schema.fingerprint()),
          schema.unusable().get().detail());
    } else {
      LOG.info(
          "writer's schema read file={} fingerprint={}",
          schema.origin(),
          WriterSchema.hex(schema.fingerprint()));
    }
  }

  private static String conflict(WriterSchema one, WriterSchema other) {
    return one.origin()
        + " and "
        + other.origin()
        + " have one fingerprint "
        + WriterSchema.hex(one.fingerprint())
        + " but different meaning (fingerprints ignore logical types and aliases; a schema with"
        + " other units needs a record name of its own, as io.varve.schemas.SensorReadingMillis has)";
  }
}
