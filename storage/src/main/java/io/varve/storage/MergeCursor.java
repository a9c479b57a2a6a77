package io.varve.storage;

import java.util.List;

/**
 * The walk over the union of several walks in one order: a k-way merge, and the owner of the last
 * de-duplication.
 *
 * <p>Contract, beyond that of {@link RowCursor}:
 *
 * <ul>
 *   <li>Every source walks in the merge's order. Rows come out in that order; rows with equal
 *       clustering keys come out once, with the value of the source that the tie break prefers:
 *       unless another is given, the one listed first.
 *   <li>Lazy: the first step steps every source once; each later step steps only the source whose
 *       row was last returned, and those that stand on a copy of it. So n rows of k sources cost at
 *       most n + k − 1 source rows, and one more for each copy that was hidden.
 *   <li>The merge owns its sources: closing it closes each of them once, also when one of them
 *       fails to close. A source that throws from {@link #next} ends the merge; it must then be
 *       closed like any other.
 * </ul>
 *
 * <p>Sources stand in a binary heap by (clustering key, tie break).
 */
public final class MergeCursor implements RowCursor {
  /** Rows that are stepped over together at most. */
  private static final int RUN_ROWS = 256;

  private final RowCursor[] sources;
  private final Order order;
  private final TieBreak ties;

  /** Current key of each source; meaningless once it is exhausted. */
  private final long[] timestampsMicros;

  private final long[] sequences;

  /** Sources that stand on a row, as a heap: the root is the next to come out. */
  private final int[] heap;

  private int heapSize;
  private boolean started;
  private boolean closed;

  /** Whether the cursor stands on the last row of a run, which {@link #last} then holds. */
  private boolean onRun;

  private final RowRun last = new RowRun(1);

  private MergeCursor(List<RowCursor> sources, Order order, TieBreak ties) {
    this.sources = sources.toArray(new RowCursor[0]);
    this.order = order;
    this.ties = ties;
    this.timestampsMicros = new long[this.sources.length];
    this.sequences = new long[this.sources.length];
    this.heap = new int[this.sources.length];
  }

  /**
   * Merges walks; a single one is returned as it is.
   *
   * @param sources walks in {@code order}, not stepped yet; on equal keys the earlier one wins
   */
  public static RowCursor of(List<RowCursor> sources, Order order) {
    return of(sources, order, TieBreak.FIRST);
  }

  /**
   * Merges walks; a single one is returned as it is.
   *
   * @param sources walks in {@code order}, not stepped yet
   * @param ties which of two of them, by their place in the list, is shown on equal keys
   */
  public static RowCursor of(List<RowCursor> sources, Order order, TieBreak ties) {
    return sources.size() == 1 ? sources.get(0) : new MergeCursor(sources, order, ties);
  }

  @Override
  public boolean next() {
    if (closed) {
      throw new IllegalStateException("step of a closed cursor");
    }
    onRun = false;
    if (!started) {
      started = true;
      for (int source = 0; source < sources.length; source++) {
        if (advance(source)) {
          heap[heapSize++] = source;
          siftUp(heapSize - 1);
        }
      }
      return heapSize > 0;
    }
    if (heapSize == 0) {
      return false;
    }
    long timestampMicros = timestampsMicros[heap[0]];
    long sequence = sequences[heap[0]];
    do {
      stepRoot();
    } while (heapSize > 0
        && timestampsMicros[heap[0]] == timestampMicros
        && sequences[heap[0]] == sequence);
    return heapSize > 0;
  }

  @Override
  public boolean nextRun(RowRun into) {
    into.clear();
    while (into.size < RUN_ROWS && next()) {
      RowCursor row = current();
      into.add(row.timestampMicros(), row.sequence(), Double.doubleToRawLongBits(row.value()));
    }
    if (into.size == 0) {
      return false;
    }
    // What follows may have been looked for and not found: the sources then stand on nothing.
    last.clear();
    last.add(
        into.timestamps[into.size - 1],
        into.sequences[into.size - 1],
        into.valueBits[into.size - 1]);
    onRun = true;
    if (order == Order.NEWEST_FIRST) {
      into.reverse();
    }
    return true;
  }

  private void stepRoot() {
    if (!advance(heap[0])) {
      heap[0] = heap[--heapSize];
    }
    siftDown();
  }

  private boolean advance(int source) {
    if (!sources[source].next()) {
      return false;
    }
    timestampsMicros[source] = sources[source].timestampMicros();
    sequences[source] = sources[source].sequence();
    return true;
  }

  private boolean before(int a, int b) {
    int c = order.compare(timestampsMicros[a], sequences[a], timestampsMicros[b], sequences[b]);
    return c != 0 ? c < 0 : ties.prefers(timestampsMicros[a], sequences[a], a, b);
  }

  private void siftUp(int from) {
    int at = from;
    while (at > 0 && before(heap[at], heap[(at - 1) >>> 1])) {
      swap(at, (at - 1) >>> 1);
      at = (at - 1) >>> 1;
    }
  }

  private void siftDown() {
    int at = 0;
    while (2 * at + 1 < heapSize) {
      int child = 2 * at + 1;
      if (child + 1 < heapSize && before(heap[child + 1], heap[child])) {
        child++;
      }
      if (!before(heap[child], heap[at])) {
        return;
      }
      swap(at, child);
      at = child;
    }
  }

  private void swap(int a, int b) {
    int source = heap[a];
    heap[a] = heap[b];
    heap[b] = source;
  }

  private RowCursor current() {
    if (!started || heapSize == 0 || closed) {
      throw new IllegalStateException("the cursor stands on no row");
    }
    return sources[heap[0]];
  }

  @Override
  public long timestampMicros() {
    return onRun ? last.timestamps[0] : current().timestampMicros();
  }

  @Override
  public long sequence() {
    return onRun ? last.sequences[0] : current().sequence();
  }

  @Override
  public double value() {
    return onRun ? Double.longBitsToDouble(last.valueBits[0]) : current().value();
  }

  @Override
  public void close() {
    if (closed) {
      throw new IllegalStateException("cursor closed twice");
    }
    closed = true;
    RuntimeException failure = null;
    for (RowCursor source : sources) {
      try {
        source.close();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
