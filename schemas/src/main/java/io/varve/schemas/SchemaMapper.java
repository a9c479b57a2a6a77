package io.varve.schemas;

import io.varve.schemas.Undecodable.Reason;
import io.varve.schemas.WriterSchema.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.Resolver;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.apache.avro.SchemaNormalization;

/**
 * Decides how a writer's schema reads as a reading or a batch.
 *
 * <p>A writer's record is a batch if it has a field {@code readings} that is an array of records,
 * else a reading. A field is found by its name or by one of the aliases that the writer's file
 * gives it; what then fits together is Avro's own schema resolution. Nullable fields are allowed,
 * and so is a missing sequence.
 */
@SuppressWarnings("ReferenceEquality") // a datum is its own member only if it is one reading
final class SchemaMapper {
  private static final String READINGS = "readings";
  private static final String SENSOR_ID = "sensor_id";
  private static final String TIMESTAMP = "timestamp";
  private static final String VALUE = "value";
  private static final String SEQUENCE = "sequence";

  private static final String HINT =
      "a writer's schema is a record with sensor_id (string), timestamp (long, timestamp-micros or"
          + " timestamp-millis) and value (double), or with an array of such records named readings;"
          + " other names are told by aliases in its .avsc file";

  private SchemaMapper() {}

  /** Decides for one schema; what cannot be read becomes an unusable one with the reason. */
  static WriterSchema map(String origin, Schema schema) {
    Schema members =
        field(schema, READINGS)
            .map(Field::schema)
            .filter(s -> s.getType() == Schema.Type.ARRAY)
            .orElse(schema);
    Schema reading = members == schema ? schema : members.getElementType();
    List<String> names = new ArrayList<>();
    Schema reader = reader(reading, names);
    String logicalType = String.join(",", timestampLogicalTypes(reading));
    Optional<Undecodable> unusable = fault(origin, reading);
    return new WriterSchema(
        origin,
        SchemaNormalization.parsingFingerprint64(schema),
        schema,
        members,
        unusable.isPresent() ? reading : Schema.applyAliases(reading, reader),
        reader,
        unit(logicalType),
        logicalType,
        SchemaNormalization.toParsingForm(schema)
            + " fields="
            + names
            + " timestamp="
            + unitText(logicalType),
        unusable);
  }

  /** Builds the reader of one reading, with the writer's field names as aliases. */
  private static Schema reader(Schema writer, List<String> writerNames) {
    List<Field> fields = new ArrayList<>();
    for (Field wanted :
        List.of(
            new Field(SENSOR_ID, nullable(Schema.Type.STRING)),
            new Field(TIMESTAMP, nullable(Schema.Type.LONG)),
            new Field(VALUE, nullable(Schema.Type.DOUBLE)),
            new Field(SEQUENCE, nullable(Schema.Type.LONG), null, Field.NULL_DEFAULT_VALUE))) {
      Optional<Field> found = field(writer, wanted.name());
      writerNames.add(found.map(Field::name).orElse("-"));
      if (found.isPresent() && !found.get().name().equals(wanted.name())) {
        wanted.addAlias(found.get().name());
      }
      fields.add(wanted);
    }
    Schema reader = Schema.createRecord("SensorReading", null, "io.varve.schemas", false, fields);
    if (writer.getType() == Schema.Type.RECORD) {
      String namespace = writer.getNamespace();
      reader.addAlias(writer.getName(), namespace == null ? "" : namespace);
    }
    return reader;
  }

  private static Schema nullable(Schema.Type type) {
    return Schema.createUnion(Schema.create(Schema.Type.NULL), Schema.create(type));
  }

  /** Finds a field by its name, or else by an alias. */
  private static Optional<Field> field(Schema record, String name) {
    if (record.getType() != Schema.Type.RECORD) {
      return Optional.empty();
    }
    Field exact = record.getField(name);
    if (exact != null) {
      return Optional.of(exact);
    }
    return record.getFields().stream().filter(f -> f.aliases().contains(name)).findFirst();
  }

  private static Optional<Undecodable> fault(String origin, Schema reading) {
    if (reading.getType() != Schema.Type.RECORD) {
      return unusable(origin, "it is no record type=" + typeName(reading));
    }
    for (String name : List.of(SENSOR_ID, TIMESTAMP, VALUE, SEQUENCE)) {
      Optional<Field> field = field(reading, name);
      if (field.isEmpty()) {
        if (name.equals(SEQUENCE)) {
          continue;
        }
        return unusable(origin, "it has no field name=" + name);
      }
      Schema.Type wanted =
          switch (name) {
            case SENSOR_ID -> Schema.Type.STRING;
            case VALUE -> Schema.Type.DOUBLE;
            default -> Schema.Type.LONG;
          };
      if (branches(field.get().schema()).stream().noneMatch(b -> resolves(b, wanted))) {
        return unusable(
            origin,
            "a field has a type that is not read field="
                + name
                + " type="
                + typeName(field.get().schema()));
      }
    }
    return Optional.empty();
  }

  private static Optional<Undecodable> unusable(String origin, String why) {
    return Optional.of(
        new Undecodable(
            Reason.UNSUPPORTED_SCHEMA,
            "the writer's schema cannot be read as readings: " + why + " schema=" + origin,
            HINT));
  }

  private static boolean resolves(Schema writer, Schema.Type reader) {
    return Resolver.resolve(writer, Schema.create(reader)).type != Resolver.Action.Type.ERROR;
  }

  private static List<Schema> branches(Schema schema) {
    return schema.getType() == Schema.Type.UNION ? schema.getTypes() : List.of(schema);
  }

  /** The type with its logical type, as a person would look for it in the file. */
  static String typeName(Schema schema) {
    if (schema.getType() == Schema.Type.UNION) {
      return schema.getTypes().stream().map(SchemaMapper::typeName).toList().toString();
    }
    String logical = schema.getProp("logicalType");
    String name = schema.getType().getName();
    return logical == null ? name : name + "(" + logical + ")";
  }

  /** Logical types of all branches that a timestamp can come from; empty text means none. */
  private static Set<String> timestampLogicalTypes(Schema reading) {
    Set<String> types = new TreeSet<>();
    field(reading, TIMESTAMP)
        .ifPresent(
            f -> {
              for (Schema branch : branches(f.schema())) {
                if (resolves(branch, Schema.Type.LONG)) {
                  String logical = branch.getProp("logicalType");
                  types.add(logical == null ? "" : logical);
                }
              }
            });
    return types;
  }

  /**
   * Fingerprints ignore logical types, so a plain long must mean what the released schema means.
   */
  private static Unit unit(String logicalType) {
    return switch (logicalType) {
      case "", "timestamp-micros" -> Unit.MICROS;
      case "timestamp-millis" -> Unit.MILLIS;
      default -> Unit.UNSUPPORTED;
    };
  }

  private static String unitText(String logicalType) {
    Unit unit = unit(logicalType);
    return unit == Unit.UNSUPPORTED ? logicalType : unit.name();
  }
}
