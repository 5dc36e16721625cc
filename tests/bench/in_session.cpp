#include "tests/bench/in_session.hpp"

#include <algorithm>

#include "engine/session/running/kept_machine.hpp"
#include "tests/bench/contest.hpp"

namespace trellis::bench {
namespace {

constexpr double most_seconds = 10;

session::Options of_sessions() {
  session::Options options;
  options.limits.seconds = most_seconds;
  if (only_small()) options.least_planned = 0;  // so that what is planned is tried
  else options.machine = session::kept_machine();
  return options;
}

std::string first_error(const session::Reply& reply) {
  for (const text::Diagnostic& d : reply.diagnostics.all())
    if (d.severity == text::Severity::error) return d.code + ": " + d.message;
  return "it failed";
}

}  // namespace

InSession::InSession(const std::string& inputs, const std::string& program, const InSession* filled)
    : session_(std::make_unique<session::Session>(of_sessions())) {
  using Extent = session::Session::Extent;
  if (!feed(inputs, filled ? Extent::declarations : Extent::everything)) return;
  session::Data& data = session_->state().data;
  if (filled)
    for (const auto& [name, size] : filled->data().sizes()) data.set_size(name, size.as_integer());
  if (filled)
    for (const auto& [name, tensor] : *filled->data().tensors())
      if (filled->data().has(name)) data.put(name, tensor);
  const std::vector<lang::Kernel> before = kernels();
  if (!filled)
    for (const lang::Kernel& kernel : before)
      if (!feed("run " + kernel.name + "\n", Extent::everything)) return;
  if (!feed(program, Extent::declarations)) return;
  for (const lang::Kernel& kernel : kernels())
    if (std::ranges::find(before, kernel.name, &lang::Kernel::name) == before.end()) measured_.push_back(kernel.name);
}

std::vector<lang::Kernel> InSession::kernels() const {
  text::Diagnostics ignored;
  const lang::Program* program = session_->state().program(ignored);
  return program ? program->kernels : std::vector<lang::Kernel>{};
}

bool InSession::feed(const std::string& text, session::Session::Extent extent, double* kernels_ms) {
  session_->feed("bench", text, extent, [&](const session::Reply& reply) {
    if (!reply.ok() && problem_.empty()) problem_ = first_error(reply);
    if (const auto* ran = std::get_if<session::Ran>(&reply.result); ran && kernels_ms)
      for (const session::Ran::Kernel& kernel : ran->kernels) *kernels_ms += kernel.run_ms;
  });
  return problem_.empty();
}

std::optional<double> InSession::run() {
  if (!problem_.empty()) return std::nullopt;
  double kernels_ms = 0;
  const std::string how = only_small() ? " jit\n" : " native\n";
  for (const std::string& kernel : measured_)
    if (!feed("run " + kernel + how, session::Session::Extent::everything, &kernels_ms)) break;
  return problem_.empty() ? std::optional(kernels_ms) : std::nullopt;
}

run::Bindings InSession::results() const {
  run::Bindings found;
  for (const lang::Kernel& kernel : kernels()) {
    if (std::ranges::find(measured_, kernel.name) == measured_.end()) continue;
    for (const std::string& name : kernel.results())
      if (const tensor::Tensor* held = data().held(name)) found.arrays[name] = *held;
  }
  return found;
}

}  // namespace trellis::bench
