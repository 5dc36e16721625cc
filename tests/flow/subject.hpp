#pragma once
// A program, compiled, to be executed by the interpreter of control flow.

#include <doctest/doctest.h>

#include <limits>
#include <memory>
#include <string>

#include "engine/flow/interpret.hpp"
#include "engine/session/replay/record.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::testing {

/// A compiled program, and what its kernel finds.
struct Subject {
  std::shared_ptr<const Compilation> compilation;
  loop::Bindings found;
};

inline Subject subject(const std::string& program) {
  Transcript t;
  const auto said = t.say(program);
  REQUIRE_MESSAGE(said.ok(), said.output);
  text::Diagnostics diagnostics;
  session::State& state = t.session().state();
  const lang::Kernel& kernel = state.program(diagnostics)->kernels.front();
  const auto compilation = state.compilation(kernel, diagnostics);
  REQUIRE(compilation);
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  auto found = session::found_by(state, compilation->program, compilation->kernel, all, {}, diagnostics);
  REQUIRE(found);
  return {compilation, *found};
}

inline flow::Execution interpreted(const Subject& s, flow::Observer* observer = nullptr,
                                   const flow::Options& options = {}) {
  return flow::interpret(s.compilation->flow, {s.found.parameters, s.found.tensors}, options, observer);
}

}  // namespace trellis::testing
