#include "engine/session/replay/account.hpp"

#include <algorithm>

#include "engine/text/sequence.hpp"

namespace trellis::session {
namespace {

using Origins = std::map<text::NodeId, text::Origin>;

void add(Origins& origins, const loop::Stmt& nest, text::Stage stage) {
  loop::for_each(nest, [&](const loop::Stmt& s) { origins[{stage, s.id()}] = s.origin(); });
}

/// The fragments that a node comes from, stage by stage.
void collect(const Origins& origins, const text::NodeId& node, std::vector<int>& fragments) {
  if (node.stage == text::Stage::fragments) {
    if (std::ranges::find(fragments, node.id) == fragments.end()) fragments.push_back(node.id);
    return;
  }
  if (const auto found = origins.find(node); found != origins.end())
    for (const text::NodeId& from : found->second)
      if (from.stage < node.stage) collect(origins, from, fragments);
}

/// Of each stage between the fragments and what is replayed.
Origins origins_of(const Recorded& recorded, const Compilation* compilation) {
  Origins origins;
  add(origins, recorded.nest, text::Stage::loops);
  if (compilation && compilation->placed) add(origins, compilation->placed->nest, text::Stage::placement);
  if (recorded.compilation)
    for (const text::TextSpan& span : flow::print(recorded.compilation->flow).spans)
      if (span.node.stage == text::Stage::flow) origins[span.node] = span.origin;
  return origins;
}

}  // namespace

Account account_of(State& state, const lang::Kernel& kernel, const Recorded& recorded) {
  Account account;
  text::Diagnostics ignored;
  const auto analysis = kernel.loops ? nullptr : state.analysis(kernel, ignored);
  if (!analysis) return account;
  const auto compilation = recorded.legal ? state.compilation(kernel, ignored) : nullptr;
  const Origins origins = origins_of(recorded, compilation.get());
  const text::Stage stage = recorded.compilation ? text::Stage::flow : text::Stage::loops;
  const auto fragments_of = [&](int statement) {
    std::vector<int> fragments;
    collect(origins, {stage, statement}, fragments);
    return fragments;
  };
  for (const explore::Trace::Step& step : recorded.trace.steps)
    account.points.push_back(explore::point_of(step, analysis->fragments, fragments_of, recorded.before.parameters));
  if (recorded.legal) return account;
  account.violations = explore::violations(recorded.trace);
  const check::Evaluation reference = check::evaluate(*state.program(ignored), state.with_inheritance(kernel),
                                                      {recorded.before.parameters, recorded.before.tensors});
  account.wrong = explore::wrong_elements(recorded.trace, reference.results);
  for (const explore::WrongElement& wrong : account.wrong)
    if (!account.expected.contains(wrong.tensor))
      account.expected[wrong.tensor] = board_of(reference.results.at(wrong.tensor));
  return account;
}

std::optional<std::size_t> step_of(const text::Instance& instance, const explore::Trace& trace) {
  const auto is_it = [&](const explore::Trace::Step& step) {
    return std::ranges::all_of(instance.at, [&](const auto& one) { return contains(step.loops, one); }) &&
           std::ranges::any_of(step.reads, [&](const explore::Trace::Touch& t) {
             return t.early && t.tensor == instance.read && t.covers(instance.element);
           });
  };
  const auto found = std::ranges::find_if(trace.steps, is_it);
  return found == trace.steps.end() ? std::nullopt
                                    : std::optional(static_cast<std::size_t>(found - trace.steps.begin()) + 1);
}

}  // namespace trellis::session
