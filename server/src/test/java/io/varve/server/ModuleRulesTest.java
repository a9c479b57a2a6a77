package io.varve.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethod;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.varve.storage.engine.InspectedDay;
import io.varve.storage.engine.StoreInspector;
import java.time.Instant;
import org.jspecify.annotations.NullMarked;

/** What the modules may know of one another and of libraries, seen from where all of them meet. */
@AnalyzeClasses(packages = "io.varve", importOptions = ImportOption.DoNotIncludeTests.class)
class ModuleRulesTest {
  private static final String STORAGE = "io.varve.storage..";
  private static final String INGEST = "io.varve.ingest..";
  private static final String QUERY = "io.varve.query..";
  private static final String LOAD = "io.varve.load..";
  private static final String SCHEMAS = "io.varve.schemas..";
  private static final String SERVER = "io.varve.server..";

  @ArchTest
  static final ArchRule neighboursAreUnknown =
      slices()
          .matching("io.varve.(ingest|query|load)..")
          .should()
          .notDependOnEachOther()
          .because("the server wires them through ports");

  @ArchTest
  static final ArchRule storageIsALeaf =
      noClasses()
          .that()
          .resideInAPackage(STORAGE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              SCHEMAS,
              INGEST,
              QUERY,
              LOAD,
              SERVER,
              "org.apache.kafka..",
              "org.apache.avro..",
              "org.eclipse.jetty..",
              "com.fasterxml..")
          .because("rows are kept whoever sends them and whoever asks for them");

  @ArchTest
  static final ArchRule schemasAreALeaf =
      noClasses()
          .that()
          .resideInAPackage(SCHEMAS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(STORAGE, INGEST, QUERY, LOAD, SERVER, "org.apache.kafka..")
          .because("clients of the schemas must not get the service with them");

  @ArchTest
  static final ArchRule loadSeesTheServiceFromOutside =
      noClasses()
          .that()
          .resideInAPackage(LOAD)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(STORAGE, SERVER)
          .because("a fleet knows Kafka and HTTP only");

  @ArchTest
  static final ArchRule nobodyNeedsTheServer =
      noClasses()
          .that()
          .resideOutsideOfPackage(SERVER)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(SERVER)
          .because("it is the assembly");

  @ArchTest
  static final ArchRule chronicleStaysInOnePackage =
      only("io.varve.storage.chronicle..", "net.openhft..")
          .because("it leans on details of one pinned version");

  @ArchTest
  static final ArchRule blockFilesStayInTheStore =
      only(STORAGE, "io.varve.storage.chronicle..")
          .because("an address of mapped memory is good only as long as the store says");

  @ArchTest
  static final ArchRule theEngineIsDrivenByIngestOnly =
      noClasses()
          .that()
          .resideOutsideOfPackages(STORAGE, INGEST)
          .and()
          .doNotHaveFullyQualifiedName("io.varve.server.node.Node") // warms it up at start
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.varve.storage.engine..")
                  .and(not(assignableTo(StoreInspector.class)))
                  .and(not(assignableTo(InspectedDay.class)))) // look at files only
          .because("a store has one writer, which applies the log");

  @ArchTest
  static final ArchRule streamsStayInIngest =
      noClasses()
          .that()
          .resideOutsideOfPackages(INGEST, "io.varve.load.streams..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.kafka.streams..")
          .because("queries know stores, not Streams; load-gen has one to compare with");

  @ArchTest
  static final ArchRule brokerStaysInOnePackage =
      only("io.varve.server.broker..", "kafka..")
          .because("a broker in the process is one way of two");

  @ArchTest
  static final ArchRule httpLibraryStaysInOnePackage =
      only("io.varve.query.http..", "org.eclipse.jetty..")
          .because("it can then be replaced without touching an answer");

  @ArchTest
  static final ArchRule optionsStayInTheCommandLine =
      only("io.varve.server.cli..", "picocli..").because("settings come from three places");

  @ArchTest
  static final ArchRule metricsLibraryStaysInOnePackage =
      only("io.varve.server.node..", "io.micrometer..")
          .because("figures are kept by whom they count");

  @ArchTest
  static final ArchRule sketchesStayWhereSomethingIsCounted =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.varve.ingest.traffic..", "io.varve.server.advise..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.datasketches..")
          .because("an estimate comes with its bounds, or not at all");

  @ArchTest
  static final ArchRule loggingLibraryStaysInOnePackage =
      only("io.varve.server.log..", "ch.qos.logback..").because("all others log through SLF4J");

  /** C083: no order of two values follows from a clock that can go back. */
  @ArchTest
  static final ArchRule storageReadsNoWallClock =
      noClasses()
          .that()
          .resideInAPackage(STORAGE)
          .should(
              callMethod(System.class, "currentTimeMillis")
                  .or(callMethod(Instant.class, "now"))
                  .or(callMethod(java.time.LocalDate.class, "now")))
          .because("time is passed in, and the log alone says which value is the later");

  @ArchTest
  static final ArchRule noEmptyNames =
      classes()
          .should()
          .haveNameNotMatching(".*(Util|Utils|Manager|Helper|Impl|Common|Info|Bean|Base)")
          .because("such names say nothing");

  @ArchTest
  static void everyPackageIsNullMarked(JavaClasses all) {
    for (JavaPackage each : all.getPackage("io.varve").getSubpackagesInTree()) {
      if (!each.getClasses().isEmpty()) {
        assertThat(each.isAnnotatedWith(NullMarked.class)).as(each.getName()).isTrue();
      }
    }
  }

  /** A rule that one of our packages, and those below it, has libraries to itself. */
  private static com.tngtech.archunit.lang.syntax.elements.ClassesShouldConjunction only(
      String owner, String... libraries) {
    return noClasses()
        .that()
        .resideOutsideOfPackage(owner)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(libraries);
  }
}
