#pragma once
// Kernels of examples, and their code.

#include <doctest/doctest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <variant>

#include "engine/run/jit.hpp"
#include "engine/session/session.hpp"
#include "tests/programs.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::testing {

inline run::Kernel compiled(const emit::Module& module) {
  auto kernel = run::compile_jit(module);
  if (const auto* error = std::get_if<run::CompileError>(&kernel)) FAIL(error->message << "\n" << module.source);
  return std::get<run::Kernel>(std::move(kernel));
}

/// The kernels of every third example, the first one being number `first`, or with `--random N` of all, once the
/// example has run: `use(session, kernel)`.
template <class Use>
void for_each_kernel(int first, const Use& use) {
  int number = -first;
  for (const std::filesystem::path& path : files_of("examples", ".tr")) {
    if (!randomised::is_taken(number++)) continue;
    CAPTURE(path.string());
    const auto session = std::make_shared<session::Session>(session::Options());
    session->run_text(path.string(), read(path), [](const session::Reply&) {});
    text::Diagnostics diagnostics;
    const auto program = session->state().program(diagnostics);
    REQUIRE(program);
    for (const lang::Kernel& kernel : program->kernels) {
      CAPTURE(kernel.name);
      use(session, kernel);
    }
  }
}

}  // namespace trellis::testing
