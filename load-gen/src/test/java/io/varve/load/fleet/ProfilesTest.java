package io.varve.load.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfilesTest {
  @Test
  void everyProfileThatComesWithVarveIsReadableAndSaysWhatItShows() throws Exception {
    for (String name : Profiles.NAMES) {
      Profile profile = Profiles.find(name);
      assertThat(profile.name()).isEqualTo(name);
      assertThat(profile.shows()).as(name).endsWith(profile.shows().contains("?") ? "?" : ".");
    }
  }

  @Test
  void fileOfOnesOwnIsReadAndKnobsBesideItWin(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("mine.profile");
    Files.writeString(file, "# Mine.\n# Of two lines.\n\nsensors = 12 # few\nlate-share=1.5%\n");
    Profile profile = Profiles.find(file.toString());
    assertThat(profile.shows()).isEqualTo("Mine. Of two lines.");
    assertThat(profile.count(Knob.SENSORS)).isEqualTo(12);
    assertThat(profile.share(Knob.LATE_SHARE)).isEqualTo(0.015);
    Profile other = profile.with(Map.of(Knob.SENSORS, "2k"));
    assertThat(other.count(Knob.SENSORS)).isEqualTo(2_000);
    assertThat(other.settings()).containsEntry("late-share", "1.5%").containsEntry("zipf", "0");
  }

  @Test
  void whatIsNotUnderstoodIsSaidWithItsLine() {
    refused("sensor = 5", "line 1", "no knob of this name: got=sensor");
    refused("\nlate-share = 120%", "line 2", "late-share must be a share", "got=120%");
    refused("rate = fast", "rate must be a whole number", "got=fast");
    refused("jitter", "no equals sign");
    refused("batch = 1\nbatch = 2", "line 2", "batch is given twice");
    refused("sensors = 0", "sensors must be 1 to 1000000");
    refused("hot-sensors = 1", "hot-sensors and hot-share go together");
    refused("zipf = 1\nhot-sensors = 1\nhot-share = 5%", "exclude each other");
    refused("resend-after = 9s", "correction-after must be more than resend-after");
    refused("offline-for = 2m", "less than offline-every");
    refused("schema-change-after = 1s\nresolution = 1us", "whole milliseconds");
  }

  private static void refused(String text, String... parts) {
    assertThatThrownBy(() -> Profiles.parse("p", text))
        .isInstanceOf(InvalidProfileException.class)
        .hasMessageContainingAll(parts);
  }

  @Test
  void profileThatIsNowhereIsRefusedWithThoseThereAre() {
    assertThatThrownBy(() -> Profiles.find("uniforn"))
        .isInstanceOfSatisfying(
            InvalidProfileException.class,
            e -> assertThat(e.whatToDo()).contains("uniform", "soak"));
  }
}
