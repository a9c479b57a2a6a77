package io.varve.server.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * What the advisor has to find in a year of tenants: 300 rows a day in the middle, 1.5 million at
 * the top, 400 bytes each.
 */
final class GoldenFigures {
  private final int tenants;
  private final Advice advice;

  GoldenFigures(int tenants) {
    this.tenants = tenants;
    KeyReplay replay = new KeyReplay();
    new TenantYear(tenants, 20).feed(replay);
    advice = KeyJudge.judge(replay.figures(), Guides.DEFAULT);
  }

  private Candidate candidate(BucketWidth width, int shards) {
    return advice.candidates().stream()
        .filter(c -> c.width() == width && c.shards() == shards)
        .findFirst()
        .orElseThrow();
  }

  void tenantAloneFailsSkewAndGrowth() {
    Candidate tenant = candidate(BucketWidth.NONE, 1);

    assertThat(tenant.partitions()).isEqualTo(tenants);
    assertThat(tenant.maxRows()).isEqualTo(547_500_000);
    assertThat(tenant.maxBytes()).isEqualTo(219_000_000_000L);
    assertThat(tenant.p50Rows()).isCloseTo(300 * 365, within(400.0));
    assertThat(tenant.skew()).isCloseTo(5000, within(20.0));
    assertThat(tenant.failing()).containsExactly(Property.SKEW, Property.GROWTH);
  }

  void tenantAndDayIsStillTooLarge() {
    Candidate day = candidate(BucketWidth.DAY, 1);

    assertThat(day.partitions()).isCloseTo(tenants * 365.0, within(tenants * 365 * 0.02));
    assertThat(day.p50Rows()).isCloseTo(300, within(6.0));
    assertThat(day.maxRows()).isEqualTo(1_500_000);
    assertThat(day.maxRowsAtMost()).isLessThan(1_600_000);
    assertThat(day.maxBytes()).isEqualTo(600_000_000);
    assertThat(day.firstFailing()).contains(Property.SKEW);
  }

  void eightShardsFitTheBytesAndNotTheRows() {
    Candidate eight = candidate(BucketWidth.DAY, 8);

    assertThat(eight.maxRows()).isEqualTo(187_500);
    assertThat(eight.maxBytes()).isEqualTo(75_000_000);
    assertThat(eight.failing()).contains(Property.GROWTH);
  }

  void sixteenShardsOfADayAreProposed() {
    Candidate proposal = advice.proposal();

    assertThat(proposal.width()).isEqualTo(BucketWidth.DAY);
    assertThat(proposal.shards()).isEqualTo(16);
    assertThat(proposal.maxRows()).isEqualTo(93_750);
    assertThat(proposal.maxBytes()).isEqualTo(37_500_000);
    assertThat(proposal.failing()).isEmpty();
    assertThat(advice.notes()).isEmpty();
  }
}
