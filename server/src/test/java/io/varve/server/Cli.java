package io.varve.server;

import io.varve.server.cli.VarveCommand;
import java.io.PrintWriter;
import java.io.StringWriter;

/** The command line, run in this process. */
final class Cli {
  /**
   * What a command did.
   *
   * @param code exit code
   * @param out what it wrote to stdout
   * @param err what it wrote to stderr
   */
  record Result(int code, String out, String err) {}

  private Cli() {}

  static Result run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = VarveCommand.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    return new Result(code, out.toString(), err.toString());
  }
}
