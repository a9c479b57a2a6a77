package io.varve.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;

/**
 * Leaves out lines of libraries that come with every orderly start or stop, or that the node says
 * better itself. They are shown with {@code --verbose}.
 */
public final class HarmlessFilter extends Filter<ILoggingEvent> {
  private static final List<String> HARMLESS =
      List.of(
          // first start of an in-process broker
          "Performing controller activation",
          // stop of an in-process broker
          "Attempting to close NetworkClient that has already been closed",
          // a setting for global stores, which the topology has none of
          "Processing exception handler is not enabled for the GlobalThread",
          // files that load --target streams deletes at its end
          "Resolved state.dir: [" + System.getProperty("java.io.tmpdir") + "/varve-load-streams");

  @Override
  public FilterReply decide(ILoggingEvent event) {
    if (event.getLevel().toInt() < Level.WARN_INT || Boolean.getBoolean("varve.verbose")) {
      return FilterReply.NEUTRAL;
    }
    String message = event.getFormattedMessage();
    return HARMLESS.stream().anyMatch(message::contains) ? FilterReply.DENY : FilterReply.NEUTRAL;
  }
}
