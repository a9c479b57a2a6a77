package io.varve.ingest;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.varve.ingest", importOptions = ImportOption.DoNotIncludeTests.class)
class IngestRulesTest {
  @ArchTest
  static final ArchRule neighboursAreUnknown =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.varve.query..", "io.varve.load..", "io.varve.server..")
          .because("the server wires modules together; they never know one another");

  @ArchTest
  static final ArchRule kafkaStaysInside =
      methods()
          .that()
          .arePublic()
          .and()
          .areDeclaredInClassesThat()
          .haveFullyQualifiedName("io.varve.ingest.IngestService")
          .should()
          .notHaveRawReturnType(
              com.tngtech.archunit.base.DescribedPredicate.describe(
                  "a type of Kafka", type -> type.getName().startsWith("org.apache.kafka")))
          .because("types of a foreign library never cross a module border");

  @ArchTest
  static final ArchRule checksOnlyDecide =
      noClasses()
          .that()
          .resideInAPackage("io.varve.ingest.check..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.kafka..", "java.io..", "java.nio.file..")
          .because("a class either decides or does I/O");

  @ArchTest
  static final ArchRule partsHaveNoCycles =
      slices()
          .matching("io.varve.ingest.(*)..")
          .should()
          .beFreeOfCycles()
          .because("each part is understood from those below it");
}
