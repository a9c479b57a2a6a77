package io.varve.load.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgendaProperties {
  private record Entry(long time, int sensor, long item) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void givesWhatASortedQueueGives(long seed) {
    Random random = new Random(seed);
    PriorityQueue<Entry> model =
        new PriorityQueue<>(
            Comparator.comparingLong(Entry::time)
                .thenComparingInt(Entry::sensor)
                .thenComparingLong(Entry::item));
    Agenda agenda = new Agenda(1);
    for (int i = 0; i < 5_000; i++) {
      Entry entry = new Entry(random.nextInt(50), random.nextInt(5), i);
      int action = random.nextInt(5);
      if (action < 3 || model.isEmpty()) {
        model.add(entry);
        agenda.add(entry.time, entry.sensor, entry.item);
      } else if (action == 3) {
        model.remove();
        agenda.remove();
      } else {
        model.remove();
        model.add(entry);
        agenda.replace(entry.time, entry.sensor, entry.item);
      }
      assertThat(agenda.size()).isEqualTo(model.size());
      Entry first = model.peek();
      assertThat(agenda.time()).isEqualTo(first == null ? Long.MAX_VALUE : first.time);
      if (first != null) {
        assertThat(new Entry(agenda.time(), agenda.sensor(), agenda.item())).isEqualTo(first);
      }
    }
  }
}
