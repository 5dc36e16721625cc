#pragma once
// Files of tensors, damaged. Without doctest, so that fuzzers ask the same (tests/fuzz/).

#include <random>
#include <string>
#include <vector>

#include "engine/tensor/tensor.hpp"

namespace trellis::mutate {

/// A sound file, and the tensor that it is loaded into.
struct SoundFile {
  const char* name;
  std::string content;
  format::ScalarType type;
  tensor::Index shape;
};

/// At least one of each kind that readers know.
const std::vector<SoundFile>& sound_files();

/// What gzip makes of it.
std::string gzipped(const std::string& content);

/// The content with one to three changes of the kind that bad transfers and hurried people make.
std::string damaged(std::string content, std::mt19937_64& random);

/// What became of loading a file.
struct Loading {
  bool accepted = false;
  std::string objection;  ///< to how it was answered
};

/// Loads the content into a tensor of ones, in several formats of its rank. That gives a result whose arrays are sound,
/// or one diagnostic that names the file, and then the tensor is as it was.
Loading load(const SoundFile& into, const std::string& content, bool zipped = false);

}  // namespace trellis::mutate
