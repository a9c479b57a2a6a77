package io.varve.schemas;

import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemasArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.varve.schemas");

  private static final DescribedPredicate<JavaClass> FOREIGN =
      JavaClass.Predicates.resideInAnyPackage("org.apache.avro..", "com.fasterxml.jackson..");

  private static final DescribedPredicate<List<JavaClass>> ANY_FOREIGN =
      DescribedPredicate.describe(
          "a type of Avro or Jackson", types -> types.stream().anyMatch(FOREIGN));

  @Test
  void foreignTypesDoNotCrossTheBorder() {
    methods()
        .that()
        .areDeclaredInClassesThat()
        .haveModifier(PUBLIC)
        .and()
        .arePublic()
        .should()
        .notHaveRawReturnType(FOREIGN)
        .andShould()
        .notHaveRawParameterTypes(ANY_FOREIGN)
        .because("another module must not need Avro or Jackson to read readings")
        .check(CLASSES);
  }

  @Test
  void moduleIsALeaf() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.varve.storage..",
            "io.varve.ingest..",
            "io.varve.query..",
            "io.varve.load..",
            "io.varve.server..",
            "org.apache.kafka..")
        .because("clients of the schemas must not get the service with them")
        .check(CLASSES);
  }
}
