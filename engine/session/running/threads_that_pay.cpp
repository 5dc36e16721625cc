#include "engine/session/running/threads_that_pay.hpp"

#include <cmath>

#include "engine/session/running/estimates.hpp"

namespace trellis::session {
namespace {

constexpr double surely = 1.5;  // so many times as long: estimates tell no less than that apart

bool is_parallel(const flow::Stmt& s) {
  const auto* l = s.as<flow::Loop>();
  const auto* c = s.as<flow::Coiterate>();
  return (l && l->execution == flow::Loop::Execution::parallel) ||
         (c && c->execution == flow::Loop::Execution::parallel);
}

std::string first_parallel_loop(const flow::Flow& flow) {
  std::string found;
  flow::for_each_stmt(flow.root, [&](const flow::Stmt& s) {
    if (found.empty() && is_parallel(s))
      found = s.as<flow::Loop>() ? s.as<flow::Loop>()->variable : s.as<flow::Coiterate>()->variable;
  });
  return found;
}

std::string times_as_long(double factor) {
  const double rounded = factor < 10 ? std::round(factor * 10) / 10 : std::round(factor);
  std::string text = std::to_string(rounded);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text + " times as long";
}

}  // namespace

int threads_that_pay(const State& state, const Compilation& compilation, int wanted, text::Span at,
                     text::Diagnostics& diagnostics) {
  const std::string loop = wanted > 1 ? first_parallel_loop(compilation.flow) : "";
  if (loop.empty()) return wanted;
  const double factor = estimated_cycles(state, compilation, wanted) / estimated_cycles(state, compilation, 1);
  if (!(factor > surely)) return wanted;
  text::Diagnostic note;
  note.severity = text::Severity::note;
  note.code = "N0605";
  note.span = at;
  note.message = compilation.kernel.name + " ran on one thread: on " + std::to_string(wanted) +
                 " it would take an estimated " + times_as_long(factor);
  note.notes.push_back(
      {{},
       "each time that loop " + loop +
           " begins, threads are woken for less work than that takes; `time` measures them all the same"});
  diagnostics.add(std::move(note));
  return 1;
}

}  // namespace trellis::session
