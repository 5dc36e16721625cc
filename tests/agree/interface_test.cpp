// Kernels called through the interface for tensors agree, bit for bit, with the same kernels as the session runs them.

#include <doctest/doctest.h>

#include <cstring>

#include "engine/emit/entry.hpp"
#include "engine/run/call.hpp"
#include "engine/run/execute.hpp"
#include "engine/session/running/execution.hpp"
#include "tests/agree/example_kernels.hpp"

namespace trellis::testing {
namespace {

/// What a run left, or what went wrong.
struct Left {
  std::map<std::string, tensor::Tensor> results;
  std::string message;
};

std::optional<session::Prepared> prepared_now(session::State& state, const lang::Kernel& kernel) {
  text::Diagnostics diagnostics;
  session::Exit exit = session::Exit::success;
  auto prepared = session::prepare(state, kernel, {}, diagnostics, exit);
  if (prepared) prepared->writer = tensor::Writer::this_process;
  return prepared;
}

Left published(session::Prepared& prepared, const run::Outcome& outcome) {
  if (outcome.status != run::Outcome::Status::ok) return {{}, "failed: " + outcome.message};
  text::Diagnostics diagnostics;
  session::Exit exit = session::Exit::success;
  if (!prepared.publish({}, diagnostics, exit)) return {{}, diagnostics.all().front().message};
  Left left;
  for (const std::string& name : prepared.compilation->kernel.results())
    if (const auto found = prepared.bindings.arrays.find(name); found != prepared.bindings.arrays.end())
      left.results[name] = found->second;
  return left;
}

Left as_run(session::State& state, const lang::Kernel& kernel) {
  auto prepared = prepared_now(state, kernel);
  REQUIRE(prepared);
  run::Limits limits;
  limits.trusted = true;
  return published(*prepared, run::execute(compiled(prepared->compilation->module), prepared->bindings, limits));
}

using Compiled = std::function<run::Kernel(const emit::Module&)>;

/// Results that are appended to begin with little room, so that they grow.
Left as_called(session::State& state, const lang::Kernel& kernel, const Compiled& compile) {
  auto prepared = prepared_now(state, kernel);
  REQUIRE(prepared);
  const Compilation& compilation = *prepared->compilation;
  const emit::Callable callable =
      emit::callable(compilation.flow, compilation.program, {"called", compilation.kernel.inherited});
  for (const emit::TensorArgument& argument : callable.tensors)
    if (argument.role == emit::TensorArgument::Role::appended || argument.role == emit::TensorArgument::Role::continued)
      prepared->bindings.arrays[argument.name] = prepared->before.tensors.at(argument.name).with_some_room().value();
  // The pattern of a result comes along, though loops may go by the result's own entries.
  text::Diagnostics diagnostics;
  for (const emit::TensorArgument& argument : callable.tensors)
    if (!prepared->bindings.arrays.contains(argument.name))
      prepared->bindings.arrays.emplace(
          argument.name, *state.tensor(*compilation.program.tensor(argument.name), kernel.span, diagnostics));
  return published(*prepared, run::call(compile(callable.module), callable, prepared->bindings));
}

/// The first array of two tensors in which they differ, or "".
std::string difference(const tensor::Tensor& a, const tensor::Tensor& b) {
  if (a.shape() != b.shape() || !(a.format() == b.format())) return "of another shape or format";
  const auto same = [&](int level, format::Array which) {
    const std::size_t bytes = a.array_bytes(level, which);
    return bytes == b.array_bytes(level, which) &&
           (bytes == 0 || std::memcmp(a.array(level, which), b.array(level, which), bytes) == 0);
  };
  for (int level = 0; level < a.levels(); ++level)
    for (const format::Array which : format::level_arrays)
      if (!same(level, which)) return "differs in an array of level " + std::to_string(level);
  return same(-1, format::Array::values) ? "" : "differs in its values";
}

void compare(const Left& called, const Left& run) {
  CHECK(called.message == run.message);
  REQUIRE(called.results.size() == run.results.size());
  for (const auto& [name, result] : run.results) {
    CAPTURE(name);
    CHECK(difference(called.results.at(name), result) == "");
  }
}

}  // namespace

TEST_CASE("interface: examples compute through it what they compute without") {
  int compared = 0;
  for_each_kernel(1, [&](const std::shared_ptr<session::Session>& session, const lang::Kernel& kernel) {
    compare(as_called(session->state(), kernel, compiled), as_run(session->state(), kernel));
    ++compared;
  });
  CHECK(compared > 30);
}

}  // namespace trellis::testing
