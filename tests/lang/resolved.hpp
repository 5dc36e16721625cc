#pragma once
// A source text through the parser and the resolver, for tests of what they understand and of what they report.

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "engine/lang/parse.hpp"
#include "engine/lang/program.hpp"

namespace trellis::testing {

struct Resolved {
  text::Sources sources;
  text::Diagnostics diagnostics;
  std::optional<lang::Program> program;
};

inline Resolved resolve(const std::string& source) {
  Resolved result;
  int number = result.sources.add("test.tr", source);
  auto file = lang::parse(result.sources, number, result.diagnostics);
  result.program = lang::resolve(file, result.diagnostics);
  return result;
}

/// The equations of all kernels as they print; errors as they render when there are any.
inline std::string equations(const std::string& source) {
  Resolved result = resolve(source);
  std::string text;
  if (!result.program)
    for (const auto& d : result.diagnostics.all()) text += render(d, result.sources, text::Colour::off);
  else
    for (const auto& kernel : result.program->kernels) text += print_equations(*result.program, kernel).characters;
  return text;
}

/// What is understood of `source` reads back as itself, after the declarations that it needs.
inline void check_understood(const std::string& declarations, const std::string& source, const std::string& expected) {
  CAPTURE(source);
  const std::string understood = equations(declarations + "\n" + source);
  CHECK(understood == expected + "\n");
  CHECK(equations(declarations + "\n" + understood) == understood);
}

/// Codes of what is reported, in order: "E0201 E0301".
inline std::string codes(const std::string& source) {
  const Resolved result = resolve(source);
  std::string text;
  for (const auto& d : result.diagnostics.all()) text += (text.empty() ? "" : " ") + d.code;
  return text;
}

}  // namespace trellis::testing
