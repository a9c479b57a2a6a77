package io.varve.server.cli;

import io.varve.load.fleet.Knob;
import java.util.EnumMap;
import java.util.Map;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** An option for each knob of a load profile; what is given wins over the profile. */
final class KnobOptions implements IModelTransformer {
  @Override
  public CommandSpec transform(CommandSpec command) {
    ArgGroupSpec.Builder group =
        ArgGroupSpec.builder()
            .validate(false)
            .heading("%nKnobs of the profile, with what holds where a profile says nothing:%n");
    for (Knob knob : Knob.values()) {
      String about = knob.meaning() + " (" + knob.otherwise() + ")";
      group.addArg(
          OptionSpec.builder("--" + knob.text())
              .type(String.class)
              .paramLabel("VALUE")
              .description(about.replace("%", "%%"))
              .build());
    }
    return command.addArgGroup(group.build());
  }

  /** The knobs that were given. */
  static Map<Knob, String> given(CommandSpec command) {
    Map<Knob, String> given = new EnumMap<>(Knob.class);
    for (Knob knob : Knob.values()) {
      String value =
          command.commandLine().getParseResult().matchedOptionValue("--" + knob.text(), "");
      if (!value.isEmpty()) {
        given.put(knob, value);
      }
    }
    return given;
  }
}
