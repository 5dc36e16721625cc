// Whatever a text holds, the parser says what is wrong with it and reads the rest.

#include "tests/mutate/programs.hpp"

#include <doctest/doctest.h>

#include "tests/mutate/mutate.hpp"

namespace trellis::mutate {

TEST_CASE("the sound programs have nothing that mutations would be blamed for") {
  for (const std::string& source : sound_programs()) CHECK(objection_to_parsing(source) == "");
}

TEST_CASE("mutated programs") {
  mutate("mutated programs", 2000, [](std::uint64_t seed, Trial& trial) {
    std::mt19937_64 random(seed);
    trial.input = broken(sound_programs()[random() % sound_programs().size()], random);
    trial.objection = objection_to_parsing(trial.input);
  });
}

}  // namespace trellis::mutate
