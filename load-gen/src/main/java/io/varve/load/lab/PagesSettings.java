package io.varve.load.lab;

/**
 * The sizes of the model of pages.
 *
 * @param rows rows in all, at least 1
 * @param keys keys that they are spread over, at least 1
 * @param pageBytes bytes of a page, at least those of a row and of an index entry
 * @param rowBytes bytes of a row
 * @param entryBytes bytes of an index entry
 * @param readers readers that ask
 * @param latest newest rows that each asks for
 */
public record PagesSettings(
    int rows, int keys, int pageBytes, int rowBytes, int entryBytes, int readers, int latest) {
  /**
   * The published experiment: 2 000 000 rows of 200 bytes of 20 000 keys on pages of 8 192 bytes,
   * an index of 16-byte entries, 1 000 readers of the latest 20.
   */
  public static final PagesSettings PUBLISHED =
      new PagesSettings(2_000_000, 20_000, 8_192, 200, 16, 1_000, 20);

  public PagesSettings {
    if (rows < 1 || keys < 1 || readers < 1 || latest < 1) {
      throw new IllegalArgumentException(
          "rows, keys, readers and latest must be at least 1: rows="
              + rows
              + " keys="
              + keys
              + " readers="
              + readers
              + " latest="
              + latest);
    }
    if (rowBytes < 1 || entryBytes < 1 || pageBytes < rowBytes || pageBytes < 2 * entryBytes) {
      throw new IllegalArgumentException(
          "a page must hold a row and two index entries: page_bytes="
              + pageBytes
              + " row_bytes="
              + rowBytes
              + " entry_bytes="
              + entryBytes);
    }
  }

  /** Rows of one key: the case of an account that has outgrown all others. */
  public PagesSettings ofOneKey(int ofRows) {
    return new PagesSettings(ofRows, 1, pageBytes, rowBytes, entryBytes, readers, latest);
  }

  int rowsAPage() {
    return pageBytes / rowBytes;
  }

  int entriesAPage() {
    return pageBytes / entryBytes;
  }

  int dataPages() {
    return (rows + rowsAPage() - 1) / rowsAPage();
  }
}
