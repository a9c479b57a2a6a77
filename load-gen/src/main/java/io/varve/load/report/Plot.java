package io.varve.load.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A drawing of lines over an axis, as SVG that needs nothing else. */
final class Plot {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 300;
  private static final int LEFT = 70;
  private static final int RIGHT = 190;
  private static final int TOP = 26;
  private static final int BOTTOM = 42;
  private static final int LINE = 16;
  private static final String[] COLOURS = {
    "#2563eb", "#dc2626", "#059669", "#d97706", "#7c3aed", "#0891b2", "#be185d", "#4d7c0f"
  };

  /** How values become places. */
  enum Scale {
    /** Evenly, from 0. */
    LINEAR,
    /** By powers of ten. */
    LOG
  }

  /** A mark on an axis. */
  record Tick(double at, String text) {}

  private record Series(String name, List<double[]> points) {}

  private final String xName;
  private final String yName;
  private final Scale yScale;
  private final List<Series> series = new ArrayList<>();
  private final List<Tick> events = new ArrayList<>();
  private final List<Tick> xTicks = new ArrayList<>();

  Plot(String xName, String yName, Scale yScale) {
    this.xName = xName;
    this.yName = yName;
    this.yScale = yScale;
  }

  /** Adds a line through points of x and y; on a logarithmic axis, points at 0 are left out. */
  void add(String name, List<double[]> points) {
    List<double[]> drawable =
        points.stream().filter(p -> yScale == Scale.LINEAR || p[1] > 0).toList();
    if (!drawable.isEmpty()) {
      series.add(new Series(name, drawable));
    }
  }

  /** Marks something that happened. */
  void event(double x, String text) {
    events.add(new Tick(x, text));
  }

  /** Marks the x axis; without any mark it is divided evenly. */
  void xTick(double x, String text) {
    xTicks.add(new Tick(x, text));
  }

  String svg() {
    if (series.isEmpty()) {
      return "<p class=\"none\">nothing measured</p>";
    }
    double xMax = 1e-9;
    double yMax = 1e-9;
    double yMin = Double.MAX_VALUE;
    for (Series each : series) {
      for (double[] point : each.points) {
        xMax = Math.max(xMax, point[0]);
        yMax = Math.max(yMax, point[1]);
        yMin = Math.min(yMin, point[1]);
      }
    }
    Frame frame = new Frame(xMax, yScale == Scale.LOG ? yMin : 0, yMax, yScale);
    StringBuilder svg = new StringBuilder(4096);
    svg.append("<svg viewBox=\"0 0 ").append(WIDTH).append(' ').append(HEIGHT);
    svg.append("\" role=\"img\" aria-label=\"").append(Html.escape(yName + " by " + xName));
    svg.append("\">\n");
    axes(svg, frame);
    for (int i = 0; i < series.size(); i++) {
      line(svg, frame, series.get(i), COLOURS[i % COLOURS.length]);
      text(svg, "start", WIDTH - RIGHT + 24, TOP + 10 + LINE * i, "key", series.get(i).name);
      svg.append(
          String.format(
              Locale.ROOT,
              "<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/>%n",
              WIDTH - RIGHT + 10,
              TOP + 1 + LINE * i,
              COLOURS[i % COLOURS.length]));
    }
    for (Tick event : events) {
      double x = frame.x(Math.max(0, Math.min(event.at, xMax)));
      svg.append(
          String.format(
              Locale.ROOT,
              "<line class=\"event\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>%n",
              x,
              x,
              TOP,
              HEIGHT - BOTTOM));
      text(svg, "start", x + 3, HEIGHT - BOTTOM - 6, "event", event.text);
    }
    return svg.append("</svg>\n").toString();
  }

  /** Where values are on the drawing. */
  private record Frame(double xMax, double yMin, double yMax, Scale yScale) {
    double x(double value) {
      return LEFT + (WIDTH - LEFT - RIGHT) * value / xMax;
    }

    double y(double value) {
      double part =
          yScale == Scale.LINEAR
              ? value / yMax
              : (Math.log10(value) - low()) / Math.max(1e-9, high() - low());
      return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part;
    }

    double low() {
      return Math.floor(Math.log10(yMin));
    }

    double high() {
      return Math.max(low() + 1, Math.ceil(Math.log10(yMax)));
    }
  }

  private void axes(StringBuilder svg, Frame frame) {
    List<Tick> yTicks = new ArrayList<>();
    if (yScale == Scale.LOG) {
      for (double power = frame.low(); power <= frame.high(); power++) {
        yTicks.add(new Tick(Math.pow(10, power), number(Math.pow(10, power))));
      }
    } else {
      yTicks.addAll(even(frame.yMax));
    }
    for (Tick tick : yTicks) {
      double y = frame.y(tick.at);
      svg.append(
          String.format(
              Locale.ROOT,
              "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>%n",
              LEFT,
              WIDTH - RIGHT,
              y,
              y));
      text(svg, "end", LEFT - 6, y + 4, "tick", tick.text);
    }
    for (Tick tick : xTicks.isEmpty() ? even(frame.xMax) : xTicks) {
      if (tick.at <= frame.xMax) {
        text(svg, "middle", frame.x(tick.at), HEIGHT - BOTTOM + 16, "tick", tick.text);
      }
    }
    text(svg, "middle", (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 6, "axis", xName);
    text(svg, "start", 4, 12, "axis", yName);
  }

  /** Marks at round numbers, four to ten of them. */
  private static List<Tick> even(double max) {
    double step = Math.pow(10, Math.floor(Math.log10(max / 4)));
    while (max / step > 10) {
      step *= max / step > 20 ? 5 : 2;
    }
    List<Tick> ticks = new ArrayList<>();
    for (int i = 0; i * step <= max; i++) {
      ticks.add(new Tick(i * step, number(i * step)));
    }
    return ticks;
  }

  private static void line(StringBuilder svg, Frame frame, Series series, String colour) {
    svg.append("<polyline fill=\"none\" stroke-width=\"1.6\" stroke=\"").append(colour);
    svg.append("\" points=\"");
    for (double[] point : series.points) {
      svg.append(String.format(Locale.ROOT, "%.1f,%.1f ", frame.x(point[0]), frame.y(point[1])));
    }
    svg.append("\"/>\n");
  }

  private static void text(
      StringBuilder svg, String anchor, double x, double y, String kind, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>%n",
            kind,
            anchor,
            x,
            y,
            Html.escape(text)));
  }

  private static String number(double value) {
    if (value >= 1_000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, value < 0.1 ? "%.2f" : "%.1f", value);
  }
}
