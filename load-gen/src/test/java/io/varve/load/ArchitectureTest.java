package io.varve.load;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What may know what in this module. */
@AnalyzeClasses(packages = "io.varve.load", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule serviceIsSeenOnlyThroughKafkaAndHttp =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.varve.storage..", "io.varve.ingest..", "io.varve.query..", "io.varve.server..")
          .because("a judge that shares code with the judged shares its mistakes");

  @ArchTest
  static final ArchRule kafkaStaysInItsPackages =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.varve.load.kafka", "io.varve.load.streams")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.kafka..")
          .because("a target may be fed in another way");

  @ArchTest
  static final ArchRule streamsStaysInOnePackage =
      only(
          "io.varve.load.streams",
          "org.apache.kafka.streams..",
          "it is one target among others, for comparison");

  @ArchTest
  static final ArchRule histogramsStayInOnePackage =
      only("io.varve.load.measure", "org.HdrHistogram..", "all else sees durations and summaries");

  @ArchTest
  static final ArchRule jsonStaysInOnePackage =
      only("io.varve.load.json", "com.fasterxml.jackson..", "trees and rows have no library");

  @ArchTest
  static final ArchRule workloadsKnowNothingOfTheOutside =
      noClasses()
          .that()
          .resideInAPackage("io.varve.load.fleet")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.varve.load.run..", "io.varve.load.target..", "io.varve.load.measure..")
          .because("what is sent must not depend on how it is sent");

  private static ArchRule only(String home, String library, String because) {
    return noClasses()
        .that()
        .resideOutsideOfPackage(home)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library)
        .allowEmptyShould(true)
        .because(because);
  }
}
