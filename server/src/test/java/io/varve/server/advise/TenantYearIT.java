package io.varve.server.advise;

import org.junit.jupiter.api.Test;

/** The golden figures of all 20 000 tenants, 7.4 million partitions of a day. */
class TenantYearIT {
  @Test
  void goldenFiguresOfTwentyThousandTenants() {
    GoldenFigures figures = new GoldenFigures(20_000);

    figures.tenantAloneFailsSkewAndGrowth();
    figures.tenantAndDayIsStillTooLarge();
    figures.eightShardsFitTheBytesAndNotTheRows();
    figures.sixteenShardsOfADayAreProposed();
  }
}
