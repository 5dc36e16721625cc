#pragma once
// A source text with what the front end makes of it.

#include <optional>
#include <string>
#include <vector>

#include "engine/lang/parse.hpp"
#include "engine/lang/program.hpp"
#include "engine/text/diagnostic.hpp"
#include "tests/random/instances.hpp"

namespace trellis::randomised {

struct Case {
  std::string source;
  lang::syntax::File file;
  lang::Program program;
  const lang::Kernel& kernel() const { return program.kernels.front(); }
};

/// Empty when it does not parse or resolve; `complaint` then says why.
std::optional<Case> read_case(const std::string& source, std::string* complaint = nullptr);

/// n from `low` to `high`, and m = n + 1 where the program has one.
std::vector<Sizes> sizes_between(const lang::Program& program, int low, int high);

/// Every sequence of these names, each ascending, or in every choice of directions.
enum class Directions { ascending, both };
std::vector<lang::Order> all_orders(std::vector<std::string> names, Directions directions);

std::string to_string(const Sizes& sizes);

}  // namespace trellis::randomised
