package io.varve.storage.engine;

import java.io.IOException;

/**
 * The steps in which the engine changes what is on disk, by name. Each is announced before and
 * after it is made, so that a test can look at, kill or fail the engine there; nobody else listens.
 */
enum DiskStep {
  /** A record's rows are put into mapped blocks. */
  APPLY_RECORD,
  /** A block file is made whole, under its own name or one that does not count yet. */
  MAKE_FILE,
  OPEN_FILE,
  FORCE_FILE,
  FORCE_FOLDER,
  /** A file of a day's next generation is renamed, and counts from then on. */
  COUNT_FILE,
  /** A day's new generation says that it needs no older one. */
  MARK_WHOLE,
  DELETE_FILE,
  WRITE_INDEX,
  PUT_INDEX,
  DELETE_INDEX,
  WRITE_OFFSETS,
  PUT_OFFSETS;

  /** Is told of every step, on the thread that makes it, whatever locks that holds. */
  interface Watch {
    /**
     * A step is about to be made.
     *
     * @throws IOException to have it fail; not at {@link #APPLY_RECORD} and {@link #MARK_WHOLE}
     */
    void before(DiskStep step) throws IOException;

    /** A step has been made. */
    void after(DiskStep step);
  }

  private static final Watch NOBODY =
      new Watch() {
        @Override
        public void before(DiskStep step) {}

        @Override
        public void after(DiskStep step) {}
      };

  private static volatile Watch watch = NOBODY;

  /** Has all steps of all stores of the process told to one listener. */
  static void tell(Watch listener) {
    watch = listener;
  }

  /** Has nobody told. */
  static void tellNobody() {
    watch = NOBODY;
  }

  void before() throws IOException {
    watch.before(this);
  }

  void after() {
    watch.after(this);
  }
}
