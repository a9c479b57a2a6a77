package io.varve.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The start script against a Java and a Maven that only say how they were called. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the script is for a POSIX shell")
class StartScriptTest {
  private record Result(int code, String out, String err) {}

  private final Path folder;
  private final Path project;
  private final Path tools;

  StartScriptTest(@TempDir Path folder) {
    this.folder = folder;
    this.project = folder.resolve("pro ject");
    this.tools = folder.resolve("tools");
  }

  @BeforeEach
  void layOut() throws IOException {
    Files.createDirectories(project.resolve("server/src/main/java"));
    Files.createDirectories(project.resolve("storage/src/main/java"));
    Files.writeString(project.resolve("pom.xml"), "<project/>");
    Files.writeString(project.resolve("server/pom.xml"), "<project/>");
    Files.writeString(project.resolve("server/src/main/java/A.java"), "class A {}");
    script(project.resolve("varve"), Files.readString(Path.of("../varve")));
    java("17.0.1", "java.base jdk.compiler");
    script(
        tools.resolve("bin/mvn"),
        """
        #!/bin/sh
        echo "mvn $*" >>"$MVN_CALLS"
        [ -z "$MVN_FAILS" ] || { echo "[ERROR] no such symbol"; exit 1; }
        sleep 0.3
        mkdir -p server/target && echo jar >server/target/varve.jar
        """);
  }

  @Test
  void buildsOnFirstUseOnly() throws Exception {
    Result first = run(project.resolve("varve").toString(), "version");
    assertThat(first.code()).isZero();
    assertThat(first.err()).isEqualTo("building Varve (first use, about a minute)…\n");
    assertThat(first.out())
        .contains("-jar " + project.toRealPath().resolve("server/target/varve.jar version"));
    Result second = run(project.resolve("varve").toString(), "version");
    assertThat(second.err()).isEmpty();
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void buildsAgainWhenASourceIsNewer() throws Exception {
    run(project.resolve("varve").toString(), "version");
    Files.setLastModifiedTime(
        project.resolve("server/src/main/java/A.java"),
        FileTime.from(Instant.now().plusSeconds(5)));
    assertThat(run(project.resolve("varve").toString(), "version").err())
        .contains("sources changed");
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void startsAtTheSameTimeBuildOnce() throws Exception {
    List<Process> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(start(project.resolve("varve").toString(), "version"));
    }
    for (Process process : all) {
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    }
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void worksThroughALinkFromAnywhere() throws Exception {
    Path one = Files.createSymbolicLink(folder.resolve("one"), project.resolve("varve"));
    Path two = Files.createSymbolicLink(folder.resolve("two"), Path.of("one"));
    assertThat(run(one.toString(), "version").code()).isZero();
    assertThat(run(two.toString(), "version").out()).contains("server/target/varve.jar version");
  }

  @Test
  void failedBuildSaysSoAndLeavesNoJar() throws Exception {
    Result result = run(List.of("MVN_FAILS=1"), project.resolve("varve").toString(), "version");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("[ERROR] no such symbol").contains("varve: the build failed");
    assertThat(project.resolve("server/target/varve.jar")).doesNotExist();
  }

  @Test
  void oldJavaIsNamed() throws Exception {
    java("11.0.2", "java.base jdk.compiler");
    Result result = run(project.resolve("varve").toString(), "version");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("Java 11.0.2").contains("JDK, 17 to 25");
    java("1.8.0_402", "java.base jdk.compiler");
    assertThat(run(project.resolve("varve").toString()).err()).contains("Java 1.8.0_402");
  }

  @Test
  void javaWithoutCompilerIsNamed() throws Exception {
    java("17.0.1", "java.base java.logging");
    Result result = run(project.resolve("varve").toString(), "version");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("is a JRE, without the compiler");
  }

  @Test
  void missingJavaIsNamed() throws Exception {
    Files.delete(tools.resolve("bin/java"));
    Result result = run(project.resolve("varve").toString(), "version");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("no java at");
  }

  @Test
  void newerJavaGetsTheFlagsThatQuietIt() throws Exception { // C179
    java("25.0.1", "java.base jdk.compiler");
    assertThat(run(project.resolve("varve").toString(), "up").out())
        .contains("--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED");
    java("21.0.1", "java.base jdk.compiler");
    assertThat(run(project.resolve("varve").toString(), "up").out()).doesNotContain("--sun-misc");
  }

  @Test
  void userOptionsReachJavaAndArgumentsStayWhole() throws Exception {
    Result result =
        run(
            List.of("VARVE_OPTS=-Xmx3g -Da=b"),
            project.resolve("varve").toString(),
            "query",
            "a b");
    assertThat(result.out()).contains(" -Xmx3g -Da=b -jar ").contains("query a b");
  }

  private long builds() throws IOException {
    Path calls = folder.resolve("mvn-calls");
    return Files.exists(calls) ? Files.readAllLines(calls).size() : 0;
  }

  private void java(String version, String modules) throws IOException {
    script(tools.resolve("bin/java"), "#!/bin/sh\necho \"$*\"\n");
    Files.writeString(
        tools.resolve("release"),
        "JAVA_VERSION=\"" + version + "\"\nMODULES=\"" + modules + "\"\n");
  }

  private static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Result run(String... command) throws Exception {
    return run(List.of(), command);
  }

  private Result run(List<String> environment, String... command) throws Exception {
    Process process = start(environment, command);
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return new Result(process.exitValue(), out, err);
  }

  private Process start(String... command) throws IOException {
    return start(List.of(), command);
  }

  private Process start(List<String> environment, String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("JAVA_HOME", tools.toString());
    builder.environment().put("PATH", tools.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().put("MVN_CALLS", folder.resolve("mvn-calls").toString());
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().remove("VARVE_OPTS");
    for (String pair : environment) {
      String[] parts = pair.split("=", 2);
      builder.environment().put(parts[0], parts[1]);
    }
    return builder.start();
  }
}
