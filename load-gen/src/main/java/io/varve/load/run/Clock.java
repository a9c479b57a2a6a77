package io.varve.load.run;

import java.util.concurrent.locks.LockSupport;

/** Time that passes, and waiting for it. */
public interface Clock {
  /** The machine's monotonic clock. */
  Clock SYSTEM =
      new Clock() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void await(long nanos) {
          // One parking at a time: the caller looks at the clock again in any case.
          LockSupport.parkNanos(nanos - System.nanoTime());
        }
      };

  /** Nanoseconds since some fixed moment. */
  long nanos();

  /** Waits until about a moment; may come back early. */
  void await(long nanos);
}
