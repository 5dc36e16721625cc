#pragma once
// Programs, broken the way that hurried people and bad transfers break them. Without doctest, so that fuzzers ask the
// same (tests/fuzz/).

#include <random>
#include <string>
#include <vector>

namespace trellis::mutate {

/// Sound programs: one for each corner of the language, and all examples.
const std::vector<std::string>& sound_programs();

/// The source with one to three changes, in which parts of sound programs may appear.
std::string broken(std::string source, std::mt19937_64& random);

/// Every broken statement is reported, where it stands; what is left prints and reads back as the same tree, and is
/// resolved or refused. What is wrong with that, or "".
std::string objection_to_parsing(const std::string& source);

}  // namespace trellis::mutate
