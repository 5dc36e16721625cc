#pragma once
// Golden files: one behaviour a file, all stages together, readable from top to bottom.
//
//   # What this shows, in a sentence.
//   == source
//   tensor a(n)  …
//   == loops
//   for i in 0:n { … }
//   == run a=[0 2 0] b=[1 0 0]
//   y = [1 2 0]
//
// A section's heading is a request, its body the answer. `source` is the program; `errors` is what the parser and
// resolver say about it; `run NAME=LITERAL …` fills tensors, runs every kernel on every back end, and prints the
// results; any other heading is a command of the language (`show loops` may be written `loops`). Only the sections
// present are checked, but each file has a `run`, or `errors` that say why there is none. NAME.golden is the test
// `golden: NAME`.

#include <string>
#include <vector>

namespace trellis::testing {

struct Section {
  std::string heading;
  std::string body;
};

struct GoldenFile {
  std::string comment;
  std::vector<Section> sections;
};

GoldenFile parse_golden(const std::string& text);
std::string print_golden(const GoldenFile& file);

/// What is wrong with the file itself, a line each: a section that nobody knows, or neither a `run` nor an error.
std::string problems_of(const GoldenFile& file);

/// The same file with every body replaced by what the engine answers now.
GoldenFile answer(const GoldenFile& file);

}  // namespace trellis::testing
