package io.varve.server.cli;

import io.varve.server.config.NodeSettings;
import io.varve.server.node.Node;
import io.varve.server.node.NodeStartException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A node started from the command line, and what its end means for the exit code. */
final class RunningNode implements AutoCloseable {
  private final Node node;
  private final StopSignal stop;
  private final AtomicBoolean fault;

  private RunningNode(Node node, StopSignal stop, AtomicBoolean fault) {
    this.node = node;
    this.stop = stop;
    this.fault = fault;
  }

  static RunningNode start(NodeSettings settings, StopSignal stop) throws CommandFailure {
    AtomicBoolean fault = new AtomicBoolean();
    try {
      Node node =
          Node.start(
              settings,
              what -> {
                fault.set(true);
                stop.wish();
              });
      return new RunningNode(node, stop, fault);
    } catch (NodeStartException e) {
      throw new CommandFailure(
          e.unreachable() ? ExitCode.UNREACHABLE : ExitCode.FAILED,
          String.valueOf(e.getMessage()),
          e.why(),
          e.whatToDo(),
          e);
    }
  }

  Node node() {
    return node;
  }

  StopSignal stop() {
    return stop;
  }

  /**
   * Stops the node. After a fault of the broker an orderly stop would wait for it in vain: the
   * process then ends at once, and the next start replays.
   */
  @Override
  public void close() {
    if (fault.get()) {
      Runtime.getRuntime().halt(ExitCode.FAILED);
    }
    node.close();
  }
}
