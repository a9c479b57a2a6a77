package io.varve.server.cli;

import io.varve.server.client.NodeClient;
import io.varve.server.node.DataFolderException;
import io.varve.server.node.StoppedFolder;
import io.varve.storage.engine.InspectedDay;
import io.varve.storage.engine.StoreInspector;
import io.varve.storage.inspect.DayReport;
import io.varve.storage.inspect.Finding;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options that say whose files are looked at, and the walk over them. */
@Command
final class StoreFilesOption {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "varve-data",
      description = "Folder of a node that is stopped. Default: ./varve-data")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path data;

  @Option(
      names = "--temp",
      paramLabel = "DIR",
      description = "Where a day at a time is copied to be looked at. Default: the system's.")
  private Path temporary = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));

  @Option(
      names = "--node",
      paramLabel = "URL",
      description = "Ask a node that runs, at this address, instead of looking at files.")
  private Optional<URI> node = Optional.empty();

  /** The running node that is asked instead; empty where files are looked at. */
  Optional<NodeClient> node() throws CommandFailure {
    return node.isPresent()
        ? Optional.of(NodeOption.client("--node", node.get()))
        : Optional.empty();
  }

  /**
   * Asks the running node what its stores hold.
   *
   * @param segments whether it lists each day of each topic partition
   */
  static Map<String, Object> stats(NodeClient node, boolean segments)
      throws CommandFailure, InterruptedException {
    return NodeOption.get(node, "/v1/store/stats", Map.of("segments", "" + segments));
  }

  /** The objects of a list in an answer. */
  static List<Map<String, Object>> records(Map<String, Object> answer, String member) {
    List<Map<String, Object>> records = new ArrayList<>();
    if (answer.get(member) instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof Map<?, ?> object) {
          Map<String, Object> record = new LinkedHashMap<>();
          object.forEach((name, value) -> record.put("" + name, value));
          records.add(record);
        }
      }
    }
    return records;
  }

  /** Refuses {@code --node} for a command that needs files which nobody writes. */
  void refuseNode(String why, String whatToDo) throws CommandFailure {
    if (node.isPresent()) {
      throw new CommandFailure(
          ExitCode.USAGE, "--node can't be used with this command", why, whatToDo);
    }
  }

  /** Takes what was found, in the order of topic partitions, then days. */
  interface Visitor {
    /** A store, before its days. */
    void store(StoreInspector store) throws IOException;

    /** A day, whose files are open. */
    void day(InspectedDay day) throws IOException;
  }

  /** Says what to do with a held folder. */
  interface Use {
    void of(StoppedFolder folder) throws DataFolderException, IOException;
  }

  Path temporary() {
    return temporary;
  }

  /** Holds the folder, so that no node starts, while it is used. */
  void hold(Use use) throws CommandFailure {
    if (!Files.isDirectory(temporary)) {
      throw new CommandFailure(
          ExitCode.USAGE, "--temp must be a folder: got=" + temporary, "", "make it first");
    }
    try (StoppedFolder folder = StoppedFolder.open(data)) {
      use.of(folder);
    } catch (DataFolderException e) {
      int code = Files.isDirectory(data) ? ExitCode.FAILED : ExitCode.NOT_FOUND;
      throw new CommandFailure(code, String.valueOf(e.getMessage()), "", e.whatToDo(), e);
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "the files of a store can't be looked at",
          e.toString(),
          "check rights and room; --temp names another folder for copies",
          e);
    }
  }

  /** Walks over all days of all stores. */
  void walk(Visitor visitor) throws CommandFailure {
    hold(
        folder -> {
          for (StoreInspector store : folder.stores(temporary)) {
            visitor.store(store);
            for (int day : store.days()) {
              try (InspectedDay each = store.open(day)) {
                visitor.day(each);
              }
            }
          }
        });
  }

  /** A day's reports only. */
  void walk(java.util.function.Consumer<DayReport> visitor) throws CommandFailure {
    walk(
        new Visitor() {
          @Override
          public void store(StoreInspector store) {}

          @Override
          public void day(InspectedDay day) {
            visitor.accept(day.report());
          }
        });
  }

  /** Says on stderr that some days are not wholly counted. */
  static void noteDamage(OutputOption output, long days) {
    if (days > 0) {
      output.note("days=" + days + " are damaged; varve store verify names what is wrong");
    }
  }

  /** A day as it is written everywhere. */
  static String date(int day) {
    return LocalDate.ofEpochDay(day).toString();
  }

  /** A finding in one line. */
  static String text(Finding finding) {
    StringBuilder text = new StringBuilder("topic_partition=").append(finding.topicPartition());
    finding.day().ifPresent(day -> text.append(" day=").append(date(day)));
    if (!finding.file().isEmpty()) {
      text.append(" file=").append(finding.file());
    }
    return text.append(": ").append(finding.what()).toString();
  }
}
