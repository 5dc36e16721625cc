#pragma once
// Every kernel of every example, and its code.

#include <doctest/doctest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <variant>

#include "engine/run/jit.hpp"
#include "engine/session/session.hpp"
#include "tests/programs.hpp"

namespace trellis::testing {

inline run::Kernel compiled(const emit::Module& module) {
  auto kernel = run::compile_jit(module);
  if (const auto* error = std::get_if<run::CompileError>(&kernel)) FAIL(error->message << "\n" << module.source);
  return std::get<run::Kernel>(std::move(kernel));
}

/// Every kernel of every example, once the example has run: `use(session, kernel)`.
template <class Use>
void for_each_kernel(const Use& use) {
  for (const std::filesystem::path& path : files_of("examples", ".tr")) {
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
