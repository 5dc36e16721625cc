// Readers face whatever lies on a disk: every damaged file gives a result or one diagnostic that names the file, a
// failure leaves the tensor as it was, and the sanitizers agree.

#include <doctest/doctest.h>

#include <map>

#include "tests/mutate/files.hpp"
#include "tests/mutate/mutate.hpp"
#include "tests/options.hpp"

namespace trellis::mutate {

TEST_CASE("the sound files are accepted") {
  for (const SoundFile& file : sound_files())
    for (const bool zipped : {false, true}) {
      CAPTURE(file.name);
      CAPTURE(zipped);
      const Loading loading = load(file, zipped ? gzipped(file.content) : file.content, zipped);
      CHECK(loading.accepted);
      CHECK(loading.objection == "");
    }
}

TEST_CASE("mutated files") {
  struct Count {
    int tried = 0, refused = 0;
  };
  std::map<std::string, Count> counts;
  const int tried = mutate("mutated files", 12000, [&](std::uint64_t seed, Trial& trial) {
    std::mt19937_64 random(seed);
    const SoundFile& file = sound_files()[random() % sound_files().size()];
    const bool zipped = random() % 10 == 0;
    trial.input = damaged(zipped ? gzipped(file.content) : file.content, random);
    const Loading loading = load(file, trial.input, zipped);
    Count& count = counts[zipped ? "gzip" : file.name];
    ++count.tried;
    count.refused += !loading.accepted;
    const std::string name = file.name + std::string(zipped ? ".gz" : "");
    if (!loading.objection.empty()) trial.objection = name + ": " + loading.objection;
  });
  // The damage is neither too small nor too great to say anything.
  for (const auto& [name, count] : counts) {
    if (tried < 100 || count.tried < 50) continue;
    CAPTURE(name);
    CHECK(count.refused > count.tried / 20);
    CHECK(count.refused < count.tried);
  }
}

TEST_CASE("a small file that unpacks to much more than the limit is refused, unless it is read as a stream") {
  for (const SoundFile& file : sound_files()) {
    const std::string name = file.name;
    if (name != "general.mtx" && name != "i16.npy") continue;
    CAPTURE(name);
    const Loading loading = load(file, gzipped(file.content + std::string(1 << 22, '\n')), true);
    CHECK(loading.accepted == name.ends_with(".mtx"));
    CHECK(loading.objection == "");
  }
}

}  // namespace trellis::mutate
