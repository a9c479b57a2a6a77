package io.varve.server.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The command {@code varve}: a collection of the others. */
@Command(
    name = "varve",
    description =
        "Time-series ingestion: readings in through Kafka, newest-first answers over HTTP.",
    subcommands = {
      DemoCommand.class,
      UpCommand.class,
      PutCommand.class,
      QueryCommand.class,
      SensorsCommand.class,
      StatusCommand.class,
      TopCommand.class,
      LoadCommand.class,
      FindMaxCommand.class,
      BenchCommand.class,
      LabCommand.class,
      ReportCommand.class,
      StoreCommand.class,
      AdviseCommand.class,
      DoctorCommand.class,
      ShardsCommand.class,
      VersionCommand.class,
      HelpCommand.class
    },
    footer = {
      "",
      "Exit codes: 0 ok, 1 failed, 2 wrong usage, 3 not found, 4 node or broker unreachable.",
      "Start with: ./varve demo"
    })
public final class VarveCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  private VarveCommand() {}

  /** Runs one command line and returns its exit code. */
  public static int run(String... args) {
    return commandLine().execute(args);
  }

  /** Runs one command line that writes to the given places instead of stdout and stderr. */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return commandLine().setOut(out).setErr(err).execute(args);
  }

  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new VarveCommand());
    addCommon(line);
    line.setColorScheme(CommandLine.Help.defaultColorScheme(Terminal.ansi() ? Ansi.ON : Ansi.OFF));
    line.setParameterExceptionHandler(VarveCommand::wrongUsage);
    line.setExecutionExceptionHandler(VarveCommand::failed);
    line.setUsageHelpAutoWidth(true);
    line.setAbbreviatedSubcommandsAllowed(false);
    return line;
  }

  private static void addCommon(CommandLine line) {
    if (!(line.getCommand() instanceof HelpCommand)) { // has its own -h
      line.addMixin("common", new CommonOptions());
    }
    line.getSubcommands().values().forEach(VarveCommand::addCommon);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }

  private static int wrongUsage(ParameterException e, String[] args) {
    CommandLine line = e.getCommandLine();
    PrintWriter err = line.getErr();
    err.println("varve: " + plain(String.valueOf(e.getMessage())));
    CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    err.println("  do:  see " + line.getCommandSpec().qualifiedName() + " --help");
    err.flush();
    return ExitCode.USAGE;
  }

  /** Says of picocli's messages what only programmers know in other words. */
  private static String plain(String message) {
    return message
        .replace("option option", "option")
        .replaceAll(" is not an? (long|int)$", " is no whole number")
        .replaceAll(" is not a double$", " is no number");
  }

  private static int failed(Exception e, CommandLine line, ParseResult parsed) {
    PrintWriter err = line.getErr();
    int code;
    if (e instanceof CommandFailure failure) {
      err.println(failure.text());
      code = failure.exitCode();
    } else {
      err.println("varve: a fault of Varve itself: " + e);
      err.println("  do:  run it again with --verbose and report what it prints");
      code = ExitCode.FAILED;
    }
    if (Verbosity.raised()) {
      e.printStackTrace(err);
    }
    err.flush();
    return code;
  }
}
