package io.varve.storage;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs once for each seed of a list and takes its randomness as a {@link
 * java.util.random.RandomGenerator} parameter.
 *
 * <p>The seeds are 1 to {@link #runs}, the same in every build; {@code -Dvarve.full=true} runs
 * {@link #fullRuns}. {@code -Dvarve.seed=N} runs seed N alone, {@code -Dvarve.seed=fresh} one never
 * seen before. A failure prints the line that replays it.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(SeededRuns.class)
public @interface Seeded {
  /** Seeds in the gate. */
  int runs() default 20;

  /** Seeds in a full run. */
  int fullRuns() default 200;
}
