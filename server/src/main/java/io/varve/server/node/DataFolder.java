package io.varve.server.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The folder of one node, held by one process at a time.
 *
 * <pre>
 *   DIR/varve.lock        locked while in use; names the holder
 *   DIR/node.properties   what is fixed for life: instance id, name, topic partitions of rows
 *   DIR/store             the stores; a rebuildable cache of the rows topic
 *   DIR/broker            the in-process broker
 * </pre>
 *
 * The lock is the operating system's, so it ends with the process however that ends.
 */
public final class DataFolder implements AutoCloseable {
  private static final long HOLDER_NAME_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int DEFAULT_PARTITIONS = 8;

  private final Path folder;
  private final FileChannel lockFile;
  private final FileLock lock;
  private final String instanceId;
  private final int partitions;

  private DataFolder(
      Path folder, FileChannel lockFile, FileLock lock, String instanceId, int partitions) {
    this.folder = folder;
    this.lockFile = lockFile;
    this.lock = lock;
    this.instanceId = instanceId;
    this.partitions = partitions;
  }

  /**
   * Takes the folder, creating it when missing.
   *
   * @param name prefix of Varve's topics; the one recorded in the folder, if any
   * @param partitions topic partitions of {@code rows}; empty: as recorded, or 8 in a new folder
   * @throws DataFolderException when another process holds the folder, it cannot be written, or
   *     {@code name} or {@code partitions} differ from what it was created with
   */
  public static DataFolder open(Path folder, String name, OptionalInt partitions)
      throws DataFolderException {
    Path dir = folder.toAbsolutePath().normalize();
    try {
      Files.createDirectories(dir);
      FileChannel channel =
          FileChannel.open(
              dir.resolve("varve.lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      try {
        Optional<FileLock> lock = tryLock(channel);
        if (lock.isEmpty()) {
          throw new DataFolderException(
              "data folder " + dir + " is in use by " + holder(channel),
              "stop that one, or use another --data");
        }
        nameHolder(channel);
        Properties fixed = fixed(dir, name, partitions);
        return new DataFolder(
            dir,
            channel,
            lock.get(),
            fixed.getProperty("instance-id"),
            Integer.parseInt(fixed.getProperty("partitions")));
      } catch (IOException | DataFolderException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      throw new DataFolderException(
          "data folder " + dir + " cannot be used: " + reason(e),
          "check that it is a folder that this user can write, or use another --data");
    }
  }

  private static String reason(IOException e) {
    if (e instanceof FileAlreadyExistsException taken) {
      return taken.getFile() + " is a file";
    }
    if (e instanceof AccessDeniedException denied) {
      return "no right to write " + denied.getFile();
    }
    if (e instanceof NoSuchFileException missing) {
      return missing.getFile() + " can't be made";
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  private static Optional<FileLock> tryLock(FileChannel channel) throws IOException {
    try {
      return Optional.ofNullable(channel.tryLock());
    } catch (OverlappingFileLockException held) {
      return Optional.empty(); // by another node of this very process
    }
  }

  private static void nameHolder(FileChannel channel) throws IOException {
    ProcessHandle self = ProcessHandle.current();
    Instant started = self.info().startInstant().orElseGet(Instant::now);
    String text =
        "pid "
            + self.pid()
            + " (started "
            + started.truncatedTo(ChronoUnit.SECONDS)
            + ", "
            + self.info().commandLine().orElse("command unknown").lines().findFirst().orElse("")
            + ")\n";
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
  }

  /** Reads who holds the folder; a holder that has only just come may still be writing its name. */
  static String holder(FileChannel channel) throws IOException {
    long deadline = System.nanoTime() + HOLDER_NAME_WAIT_NANOS;
    do {
      ByteBuffer buffer = ByteBuffer.allocate(4096);
      channel.read(buffer, 0);
      String text = new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
      if (text.endsWith("\n")) {
        return abbreviate(text.strip());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    } while (System.nanoTime() < deadline);
    return "another process";
  }

  /** A java command line is long; its first part and its last arguments tell nodes apart. */
  private static String abbreviate(String holder) {
    int most = 240;
    return holder.length() <= most
        ? holder
        : holder.substring(0, 110) + " … " + holder.substring(holder.length() - 120);
  }

  private static Properties fixed(Path dir, String name, OptionalInt partitions)
      throws IOException, DataFolderException {
    Path file = dir.resolve("node.properties");
    Properties p = new Properties();
    if (Files.exists(file)) {
      try (var in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
        p.load(in);
      }
      requireRecorded(file, p);
      String recordedName = p.getProperty("name");
      if (!recordedName.equals(name)) {
        throw new DataFolderException(
            "data folder "
                + dir
                + " belongs to --name "
                + recordedName
                + ", asked for --name "
                + name,
            "start with --name " + recordedName + ", or use another --data");
      }
      String recorded = p.getProperty("partitions");
      if (partitions.isPresent() && !recorded.equals(String.valueOf(partitions.getAsInt()))) {
        throw new DataFolderException(
            "data folder "
                + dir
                + " has partitions="
                + recorded
                + " for life, asked for partitions="
                + partitions.getAsInt(),
            "leave --partitions away, or use another --data and another --name");
      }
      return p;
    }
    p.setProperty("format", "1");
    p.setProperty("name", name);
    p.setProperty("partitions", String.valueOf(partitions.orElse(DEFAULT_PARTITIONS)));
    p.setProperty("instance-id", newInstanceId());
    Path fresh = dir.resolve("node.properties.new");
    try (FileChannel out =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      StringBuilder text = new StringBuilder("# What is fixed for life of this data folder.\n");
      p.stringPropertyNames().stream()
          .sorted()
          .forEach(key -> text.append(key).append('=').append(p.getProperty(key)).append('\n'));
      out.write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)));
      out.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    return p;
  }

  private static void requireRecorded(Path file, Properties p) throws DataFolderException {
    boolean whole =
        "1".equals(p.getProperty("format"))
            && p.getProperty("name") != null
            && p.getProperty("instance-id") != null
            && p.getProperty("partitions", "").matches("[1-9][0-9]{0,4}");
    if (!whole) {
      throw new DataFolderException(
          "not a node.properties of this version: file=" + file,
          "restore the file, or use another --data; it holds format, name, partitions, instance-id");
    }
  }

  private static String newInstanceId() {
    byte[] random = new byte[6];
    ThreadLocalRandom.current().nextBytes(random);
    return "node-" + HexFormat.of().formatHex(random);
  }

  public Path folder() {
    return folder;
  }

  /** Where the stores are kept. */
  public Path store() {
    return folder.resolve("store");
  }

  /** Where the in-process broker keeps its data. */
  public Path broker() {
    return folder.resolve("broker");
  }

  /** Name of this node among the members of its group; the same at every start. */
  public String instanceId() {
    return instanceId;
  }

  /** Topic partitions of {@code rows}. */
  public int partitions() {
    return partitions;
  }

  /** Gives the folder up. */
  @Override
  public void close() {
    try {
      lock.release();
      lockFile.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
