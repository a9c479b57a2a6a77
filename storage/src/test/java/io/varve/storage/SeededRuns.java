package io.varve.storage;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** What makes {@link Seeded} tests run: one invocation a seed. */
final class SeededRuns implements TestTemplateInvocationContextProvider {
  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return context.getRequiredTestMethod().isAnnotationPresent(Seeded.class);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    Seeded seeded = context.getRequiredTestMethod().getAnnotation(Seeded.class);
    return seeds(seeded).mapToObj(Run::new);
  }

  private static LongStream seeds(Seeded seeded) {
    String asked = System.getProperty("varve.seed", "");
    if (asked.equals("fresh")) {
      return LongStream.of(System.nanoTime());
    }
    if (!asked.isEmpty()) {
      return LongStream.of(Long.parseLong(asked));
    }
    return LongStream.rangeClosed(
        1, Boolean.getBoolean("varve.full") ? seeded.fullRuns() : seeded.runs());
  }

  /** One seed's invocation. */
  private record Run(long seed)
      implements TestTemplateInvocationContext, ParameterResolver, TestExecutionExceptionHandler {
    @Override
    public String getDisplayName(int invocationIndex) {
      return "seed=" + seed;
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == RandomGenerator.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return new SplittableRandom(seed);
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure)
        throws Throwable {
      System.err.printf(
          "replay with: -Dtest=%s#%s -Dvarve.seed=%d%n",
          context.getRequiredTestClass().getSimpleName(),
          context.getRequiredTestMethod().getName(),
          seed);
      throw failure;
    }
  }
}
