package io.varve.load.oracle;

import io.varve.load.target.RowPage;

/** What holds for every page, whatever was asked. */
final class Pages {
  private Pages() {}

  static void checkSize(RowPage page, int limit, String where, Faults faults) {
    if (page.size() > limit) {
      faults.add(FaultKind.LONG_PAGE, where, "rows=" + page.size() + " limit=" + limit);
    } else if (page.size() < limit && page.complete() && page.next().isPresent()) {
      faults.add(FaultKind.SHORT_PAGE, where, "rows=" + page.size() + " limit=" + limit);
    }
  }
}
