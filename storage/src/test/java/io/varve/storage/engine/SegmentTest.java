package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentTest {
  private static final int DAY = 19_875;

  @Test
  void fileMadeAheadCountsAsOpenUntilItsDayIsClosed(@TempDir Path folder) throws IOException {
    Contents contents =
        new Contents(3, DrivenStore.settings(), new SegmentFiles(folder), map -> {});
    SegmentMap map = contents.createSegment(DAY, 0);
    map.growAhead();
    assertThat(contents.files.openFiles()).isEqualTo(2);
    Segment segment = Objects.requireNonNull(contents.segment(DAY));
    segment.close(segment.detach());
    assertThat(contents.files.openFiles()).isZero();
  }
}
