package io.varve.server.advise;

import org.junit.jupiter.api.Test;

/** The golden figures of 2 000 tenants; {@link TenantYearIT} has those of 20 000. */
class GoldenFiguresTest {
  private static final GoldenFigures FIGURES = new GoldenFigures(2_000);

  @Test
  void tenantAloneFailsSkewAndGrowth() {
    FIGURES.tenantAloneFailsSkewAndGrowth();
  }

  @Test
  void tenantAndDayIsStillTooLarge() {
    FIGURES.tenantAndDayIsStillTooLarge();
  }

  @Test
  void eightShardsFitTheBytesAndNotTheRows() {
    FIGURES.eightShardsFitTheBytesAndNotTheRows();
  }

  @Test
  void sixteenShardsOfADayAreProposed() {
    FIGURES.sixteenShardsOfADayAreProposed();
  }
}
