package io.varve.query;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What may know what in this module. */
@AnalyzeClasses(packages = "io.varve.query", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule httpLibraryStaysInOnePackage =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.varve.query.http")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.eclipse.jetty..")
          .because("the HTTP library can then be tuned or replaced without touching an answer");

  @ArchTest
  static final ArchRule jsonAndCsvStayWithTheAnswers =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.varve.query.api")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.fasterxml.jackson..", "de.siegmar..")
          .because("only answers have formats");

  @ArchTest
  static final ArchRule plansKnowNoRequests =
      noClasses()
          .that()
          .resideInAPackage("io.varve.query.plan")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.varve.query.api", "io.varve.query.http", "io.varve.schemas..")
          .because("a plan decides over stores and keys, whoever asks and in whatever words");

  @ArchTest
  static final ArchRule answersKnowNoHttpLibrary =
      noClasses()
          .that()
          .resideInAPackage("io.varve.query.api")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.varve.query.http")
          .because("answers are made for whichever front asks for them");

  @ArchTest
  static final ArchRule storesAreReadThroughTheirPort =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.varve.storage.engine..",
              "io.varve.storage.chronicle..",
              "io.varve.ingest..",
              "org.apache.kafka..")
          .because("queries see stores only as PartitionReader, wherever they are");

  @ArchTest
  static final ArchRule noEmptyNames =
      classes()
          .should()
          .haveNameNotMatching(".*(Util|Utils|Manager|Helper|Impl|Common|Base)")
          .because("such names say nothing");
}
