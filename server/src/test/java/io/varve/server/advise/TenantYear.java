package io.varve.server.advise;

import java.nio.charset.StandardCharsets;

/**
 * A year of tenants whose rows fall off by a power law: the first has 1.5 million rows a day, the
 * one in the middle 300, each row has 400 bytes. The largest send in every hour, the others once a
 * day.
 */
final class TenantYear {
  static final int DAYS = 365;
  private static final long LARGEST = 1_500_000;
  private static final long MEDIAN = 300;
  private static final long ROW_BYTES = 400;
  private static final long START_MICROS = 1_735_689_600_000_000L; // 2025-01-01
  private static final long HOUR_MICROS = 3_600_000_000L;

  private final byte[][] names;
  private final long[] rowsADay;
  private final int hourly;

  /**
   * @param hourly how many send in every hour
   */
  TenantYear(int tenants, int hourly) {
    this.hourly = hourly;
    names = new byte[tenants][];
    rowsADay = new long[tenants];
    double fall = Math.log((double) LARGEST / MEDIAN) / Math.log(tenants / 2.0);
    for (int i = 0; i < tenants; i++) {
      names[i] = ("tenant-" + (i + 1)).getBytes(StandardCharsets.UTF_8);
      rowsADay[i] = Math.round(LARGEST / Math.pow(i + 1.0, fall));
    }
  }

  void feed(KeyReplay replay) {
    for (int day = 0; day < DAYS; day++) {
      for (int hour = 0; hour < 24; hour++) {
        long at = START_MICROS + (day * 24L + hour) * HOUR_MICROS;
        for (int i = 0; i < names.length; i++) {
          if (i < hourly) {
            long rows = rowsADay[i] * (hour + 1) / 24 - rowsADay[i] * hour / 24;
            if (rows > 0) {
              replay.rows(names[i], 0, names[i].length, at, rows, rows * ROW_BYTES);
            }
          } else if (i % 24 == hour) {
            replay.rows(names[i], 0, names[i].length, at, rowsADay[i], rowsADay[i] * ROW_BYTES);
          }
        }
      }
    }
  }
}
