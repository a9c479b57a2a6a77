package io.varve.load.fleet;

import java.util.Arrays;

/**
 * Sends to come, the earliest first; ties go to the smaller sensor, then to the smaller item. A
 * four-way heap in primitive arrays. Single-threaded.
 */
final class Agenda {
  private long[] times;
  private int[] sensors;
  private long[] items;
  private int size;

  Agenda(int capacity) {
    int room = Math.max(16, capacity);
    times = new long[room];
    sensors = new int[room];
    items = new long[room];
  }

  int size() {
    return size;
  }

  /** Time of the first, or {@link Long#MAX_VALUE} when there is none. */
  long time() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  int sensor() {
    return sensors[0];
  }

  long item() {
    return items[0];
  }

  int sensor(int index) {
    return sensors[index];
  }

  long item(int index) {
    return items[index];
  }

  void add(long time, int sensor, long item) {
    if (size == times.length) {
      times = Arrays.copyOf(times, size * 2);
      sensors = Arrays.copyOf(sensors, size * 2);
      items = Arrays.copyOf(items, size * 2);
    }
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >> 2;
      if (!before(time, sensor, item, parent)) {
        break;
      }
      move(parent, at);
      at = parent;
    }
    put(at, time, sensor, item);
  }

  /** Takes the first away. */
  void remove() {
    size--;
    if (size > 0) {
      sink(times[size], sensors[size], items[size]);
    }
  }

  /** Puts another in the place of the first. */
  void replace(long time, int sensor, long item) {
    sink(time, sensor, item);
  }

  private void sink(long time, int sensor, long item) {
    int at = 0;
    while (true) {
      int child = (at << 2) + 1;
      if (child >= size) {
        break;
      }
      int least = child;
      int end = Math.min(child + 4, size);
      for (int other = child + 1; other < end; other++) {
        if (before(times[other], sensors[other], items[other], least)) {
          least = other;
        }
      }
      if (before(time, sensor, item, least)) {
        break;
      }
      move(least, at);
      at = least;
    }
    put(at, time, sensor, item);
  }

  private boolean before(long time, int sensor, long item, int index) {
    if (time != times[index]) {
      return time < times[index];
    }
    return sensor != sensors[index] ? sensor < sensors[index] : item < items[index];
  }

  private void move(int from, int to) {
    times[to] = times[from];
    sensors[to] = sensors[from];
    items[to] = items[from];
  }

  private void put(int at, long time, int sensor, long item) {
    times[at] = time;
    sensors[at] = sensor;
    items[at] = item;
  }
}
