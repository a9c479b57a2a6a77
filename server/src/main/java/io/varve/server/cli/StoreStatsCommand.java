package io.varve.server.cli;

import io.varve.server.client.NodeClient;
import io.varve.server.node.ArrivalFacts;
import io.varve.storage.Arrivals;
import io.varve.storage.engine.InspectedDay;
import io.varve.storage.engine.StoreInspector;
import io.varve.storage.inspect.BlockReport;
import io.varve.storage.inspect.DayReport;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code varve store stats}: totals over all days of a node, stopped or running. */
@Command(
    name = "stats",
    description = "Prints totals of a node's stores: rows, bytes, blocks, encodings.",
    footer = {
      "",
      "Of a node that runs (--node): rows and bytes, also by day, without a look at blocks.",
      "dead: sealed blocks whose rows stand elsewhere. unused: ends of slabs.",
      "moved: what a newer generation of files replaces.",
      "varve store compact, on the running node, gets rid of all three."
    })
final class StoreStatsCommand implements Callable<Integer> {
  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private StoreFilesOption files;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    Optional<NodeClient> node = files.node();
    if (node.isPresent()) {
      Map<String, Object> stats = new LinkedHashMap<>(StoreFilesOption.stats(node.get(), false));
      stats.remove("percentiles"); // the histograms'
      output.printFacts(stats);
      return ExitCode.OK;
    }
    Totals totals = new Totals();
    files.walk(totals);
    output.printFacts(totals.facts());
    StoreFilesOption.noteDamage(output, totals.damaged);
    return ExitCode.OK;
  }

  private static final class Totals implements StoreFilesOption.Visitor {
    private final Set<Integer> topicPartitions = new TreeSet<>();
    private final Map<DayReport.Form, Long> forms = new EnumMap<>(DayReport.Form.class);
    private long days;
    private long partitions;
    private long rows;
    private long files;
    private long bytes;
    private long damaged;
    private BlockReport blocks = BlockReport.none();
    private Arrivals arrivals = Arrivals.NONE;
    private boolean counted = true;

    Totals() {
      for (DayReport.Form form : DayReport.Form.values()) {
        forms.put(form, 0L);
      }
    }

    @Override
    public void store(StoreInspector store) {
      Optional<Arrivals> counts = store.arrivals();
      counted &= counts.isPresent();
      arrivals = arrivals.plus(counts.orElse(Arrivals.NONE));
    }

    @Override
    public void day(InspectedDay inspected) {
      DayReport day = inspected.report();
      topicPartitions.add(day.topicPartition());
      forms.merge(day.form(), 1L, Long::sum);
      days++;
      partitions += day.partitions().size();
      rows += day.rows();
      files += day.files();
      bytes += day.bytes();
      damaged += day.damaged() ? 1 : 0;
      blocks = blocks.plus(day.blocks());
    }

    Map<String, Object> facts() {
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("topic_partitions", topicPartitions.size());
      facts.put("days", days);
      facts.put("days_by_form", byName(forms));
      facts.put("partitions", partitions);
      facts.put("rows", rows);
      facts.put("files", files);
      facts.put("bytes", bytes);
      facts.put("bytes_a_row", StoreLsCommand.bytesPerRow(bytes, rows));
      Map<String, Object> kinds = new LinkedHashMap<>();
      kinds.put("plain", blocks.plain());
      kinds.put("slab", blocks.slabs());
      kinds.put("free", blocks.free());
      facts.put("blocks", kinds);
      Map<String, Object> sealed = new LinkedHashMap<>();
      sealed.put("count", blocks.sealed());
      sealed.put("bytes", blocks.sealedBytes());
      sealed.put("time", byName(new EnumMap<>(blocks.byTime())));
      sealed.put("value", byName(new EnumMap<>(blocks.byValue())));
      facts.put("sealed_blocks", sealed);
      facts.put("dead_bytes", blocks.deadBytes());
      facts.put("unused_bytes", blocks.unusedBytes());
      facts.put("moved_bytes", blocks.movedBytes());
      if (counted) {
        facts.put("arrival", ArrivalFacts.of(arrivals.plus(new Arrivals(rows, 0, 0, 0))));
      }
      return facts;
    }

    private static <E extends Enum<E>> Map<String, Object> byName(Map<E, Long> counts) {
      Map<String, Object> named = new LinkedHashMap<>();
      counts.forEach((each, count) -> named.put(each.name().toLowerCase(Locale.ROOT), count));
      return named;
    }
  }
}
