#pragma once
// One rank by the interpreter, all ranks in step and ranks as threads: the same bits, and what is sent as foretold.

#include <doctest/doctest.h>

#include "engine/distribute/execute.hpp"
#include "engine/distribute/print.hpp"
#include "tests/distribute/filled.hpp"
#include "tests/distribute/on_threads.hpp"

namespace trellis::distribute::testing {

inline void agrees_everywhere(const Made& m, std::int64_t ranks, const Numbers& sizes) {
  const loop::Bindings alone = filled(m, sizes), in_step = filled(m, sizes), own = filled(m, sizes);
  REQUIRE(!loop::interpret(m.plan->loops, alone).fault);
  const auto cuts = cut(*m.plan, {ranks}, sizes);
  const InStep how = run_in_step(*m.plan, *cuts, in_step);
  CHECK(how.astray == "");
  const OnThreads threads = run_on_threads(*m.compilation, *cuts, own.parameters, own.tensors);
  REQUIRE(threads.problem == "");
  for (const std::string& name : m.compilation->kernel.results()) {
    CHECK_MESSAGE(same(in_step.tensors.at(name), alone.tensors.at(name)), name);
    CHECK_MESSAGE(same(own.tensors.at(name), alone.tensors.at(name)), name);
  }
  for (std::size_t k = 0; k < how.sent.size(); ++k) {
    const auto foretold = volume(*m.plan, *cuts, m.plan->exchanges[k]);
    REQUIRE(foretold);
    CHECK(static_cast<const Sent&>(*foretold) == how.sent[k]);
    CHECK(threads.sent[k].elements == how.sent[k].elements);
    CHECK(threads.sent[k].messages == how.sent[k].messages);
  }
}

}  // namespace trellis::distribute::testing
