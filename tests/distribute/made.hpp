#pragma once
// A program with `distribute`, compiled: its plan, or why there is none.

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "engine/compile.hpp"
#include "engine/lang/parse.hpp"

namespace trellis::distribute::testing {

struct Made {
  std::optional<Plan> plan;
  std::optional<Compilation> compilation;
  lang::Program program;
  std::string errors;  ///< code, message, instance and notes, a line each

  const Exchange* exchange(const std::string& tensor) const {
    for (const Exchange& e : plan->exchanges)
      if (e.tensor.name == tensor) return &e;
    return nullptr;
  }
  Home home(const std::string& tensor) const {
    for (const auto& [key, home] : plan->homes)
      if (key.name == tensor) return home;
    return {};
  }
};

inline Made made(const std::string& source) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const auto file = lang::parse(sources, sources.add("test", source), diagnostics);
  const auto program = lang::resolve(file, diagnostics);
  Made result;
  if (program && !diagnostics.has_errors()) {
    auto compilation = compile(*program, program->kernels.front(), diagnostics);
    result.plan = compilation.distributed;
    result.program = compilation.program;
    result.compilation = std::move(compilation);
  }
  for (const auto& d : diagnostics.all()) {
    if (d.severity != text::Severity::error) continue;
    result.errors += d.code + " " + d.message + "\n" + (d.instance_text.empty() ? "" : d.instance_text + "\n");
    for (const auto& note : d.notes) result.errors += note.message + "\n";
  }
  return result;
}

inline void mentions(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK_MESSAGE(text.find(part) != std::string::npos, part);
}

inline const std::string heat =
    "param n = 10\nparam steps = 50\ntensor u(n)\n"
    "u[t](i) = u[t-1](i) + 0.25*(u[t-1](i-1) - 2*u[t-1](i) + u[t-1](i+1)) : 1 <= i < n-1, t < steps\n"
    "order t i\nranks p\ndistribute i over p\n";

inline const std::string heat_2d =
    "param n = 9\nparam steps = 3\ntensor u(n, n)\n"
    "u[t](i,j) = u[t-1](i,j) + 0.1*(u[t-1](i-1,j) + u[t-1](i+1,j) + u[t-1](i,j-1) + u[t-1](i,j+1) - 4*u[t-1](i,j)) "
    ": 1 <= i < n-1, 1 <= j < n-1, t < steps\norder t i j\n";
/// To go on with.
inline const std::string along_p = "ranks p\ndistribute i over p\n";

}  // namespace trellis::distribute::testing
