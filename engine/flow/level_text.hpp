#pragma once
// How levels store what they store, in words of level formats: `compressed nonunique`, `vbl 4`, `dense bounded`.

#include <optional>
#include <string>
#include <vector>

#include "engine/format/level.hpp"

namespace trellis::flow {

/// Empty: as `{n}` and `[n]` are taken for, which is compressed and dense.
std::string level_text(const format::Facts& facts);
/// What the words mean; none: no level is called so.
std::optional<format::Facts> level_named(const std::vector<std::string>& words);

/// An array of a level, or the values: `crd`, `vals`.
const char* array_text(format::Array array);
std::optional<format::Array> array_called(const std::string& word);

}  // namespace trellis::flow
