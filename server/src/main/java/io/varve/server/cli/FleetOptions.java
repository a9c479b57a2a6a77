package io.varve.server.cli;

import io.varve.load.fleet.InvalidProfileException;
import io.varve.load.fleet.Profile;
import io.varve.load.fleet.Profiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that say what fleet is simulated, beside its knobs, and how patiently. */
@Command
final class FleetOptions {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  @Option(
      names = "--profile",
      paramLabel = "NAME|FILE",
      defaultValue = "uniform",
      description =
          "What the fleet is like: uniform, hot-one, hot-ten, late-arrivals, reconnect-storm,"
              + " poison, soak, or a file. Default: ${DEFAULT-VALUE}")
  private String profile = "";

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      defaultValue = "5s",
      description = "Send so long before measuring begins. Default: ${DEFAULT-VALUE}")
  private String warmUp = "";

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      defaultValue = "60s",
      description =
          "Give up a target that takes nothing in, or answers nothing, for so long. Default:"
              + " ${DEFAULT-VALUE}")
  private String patience = "";

  /** The profile's name or file. */
  String profile() {
    return profile;
  }

  /** The fleet: the profile, and the knobs that were given. */
  Profile fleet() throws CommandFailure {
    try {
      return Profiles.find(profile).with(KnobOptions.given(command));
    } catch (InvalidProfileException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), "", e.whatToDo(), e);
    }
  }

  long warmUpNanos() throws CommandFailure {
    return LoadNumbers.nanos("--warm-up", warmUp);
  }

  long patienceNanos() throws CommandFailure {
    return LoadNumbers.nanos("--patience", patience);
  }
}
