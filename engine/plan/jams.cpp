#include "engine/plan/jams.hpp"

#include <set>

#include "engine/schedule/jam.hpp"

namespace trellis::plan {
namespace {

/// How many: what does not fit into registers gains nothing from more.
constexpr std::int64_t counts[] = {4, 8};

bool is_dense(const flow::Flow& flow) {
  bool dense = true;
  flow::for_each_stmt(flow.root, [&](const flow::Stmt& s) {
    dense &= !s.as<flow::Coiterate>() && !s.as<flow::Locate>() && !s.as<flow::Insert>() && !s.as<flow::Append>() &&
             !s.as<flow::While>();
  });
  return dense;
}

}  // namespace

std::vector<lang::ScheduleStep> jams(const Compilation& compiled) {
  if (!is_dense(compiled.flow)) return {};
  std::set<std::string> variables;
  loop::for_each(compiled.loops, [&](const loop::Stmt& s) {
    const auto* f = s.as<loop::For>();
    if (f && f->execution == loop::For::Execution::serial && f->jam == 1 && schedule::holds_loop(f->body))
      variables.insert(f->variable);
  });
  std::vector<lang::ScheduleStep> steps;
  for (const std::string& variable : variables)
    if (!schedule::cannot_jam(compiled.loops, variable))
      for (const std::int64_t count : counts)
        steps.push_back({lang::ScheduleStep::Kind::jam, {variable}, {}, {count}, {}, {{}}});
  return steps;
}

}  // namespace trellis::plan
