package io.varve.server.node;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.Manifest;

/** Which build this is. */
public final class Version {
  private static final String UNKNOWN = "unknown";

  private Version() {}

  /** Version of the product; {@code development} when it does not run from its jar. */
  public static String varve() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** Versions by name: varve, commit, kafka, java. */
  public static Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("varve", varve());
    facts.put("commit", commit());
    facts.put("kafka", kafka());
    facts.put("java", Runtime.version().toString());
    return facts;
  }

  private static String kafka() {
    try (InputStream in = Version.class.getResourceAsStream("/kafka/kafka-version.properties")) {
      if (in == null) {
        return UNKNOWN;
      }
      Properties p = new Properties();
      p.load(in);
      return p.getProperty("version", UNKNOWN);
    } catch (IOException e) {
      return UNKNOWN; // of our own jar: without it there is nothing to tell
    }
  }

  private static String commit() {
    try {
      for (URL url :
          Collections.list(Version.class.getClassLoader().getResources("META-INF/MANIFEST.MF"))) {
        try (InputStream in = url.openStream()) {
          Attributes attributes = new Manifest(in).getMainAttributes();
          String commit = attributes.getValue("Varve-Commit");
          if (commit != null) {
            return commit;
          }
        }
      }
    } catch (IOException e) {
      return UNKNOWN; // as above
    }
    return UNKNOWN;
  }
}
