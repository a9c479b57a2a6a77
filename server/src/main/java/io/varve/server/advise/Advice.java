package io.varve.server.advise;

import java.util.List;

/**
 * What the advisor has to say of a sample.
 *
 * @param candidates all candidate keys, in order of bucket width and shards
 * @param proposal the one proposed; where it fails a property, none passes all and it comes nearest
 * @param warnings what the sample can't show, and sensors that fit no key
 * @param notes what else is worth knowing
 */
public record Advice(
    List<Candidate> candidates, Candidate proposal, List<String> warnings, List<String> notes) {
  public Advice {
    candidates = List.copyOf(candidates);
    warnings = List.copyOf(warnings);
    notes = List.copyOf(notes);
  }
}
