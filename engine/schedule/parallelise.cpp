#include "engine/schedule/parallelise.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/schedule/carried_instance.hpp"

namespace trellis::schedule {
namespace {

using loop::For;
using loop::Stmt;

/// Does the body assign one of these tensors outright? Updates (`+=`) can be combined between threads, a choice by comparison
/// such as argmin's cannot.
bool assigns(const Stmt& stmt, const std::vector<std::string>& tensors) {
  bool found = false;
  loop::for_each(stmt, [&](const Stmt& inner) {
    const auto* assign = inner.as<loop::Assign>();
    found |= assign && !assign->op && std::ranges::count(tensors, assign->target.as<lang::Access>()->tensor) > 0;
  });
  return found;
}

struct Marking {
  const std::string& variable;
  int found = 0;
  bool serial = false;
  std::string chosen;  ///< a result that iterations choose among themselves

  Stmt mark(const Stmt& stmt) {
    const Stmt inner = loop::map_children(
        stmt, [&](const Stmt& child) { return mark(child); }, [](const loop::Expr& expr) { return expr; });
    const For* loop = inner.as<For>();
    if (!loop || loop->variable != variable) return inner;
    ++found;
    serial |= loop->kind == For::Kind::serial;
    if (assigns(loop->body, loop->reduces)) chosen = loop->reduces.front();
    For parallel = *loop;
    parallel.execution = For::Execution::parallel;
    return Stmt(loop::StmtNode{std::move(parallel), inner->span}, inner.origin(), inner.id());
  }
};

}  // namespace

std::optional<Stmt> parallelise(const Stmt& loops, const lang::Program& program, const lang::Schedule& schedule,
                                text::Diagnostics& diagnostics) {
  Stmt result = loops;
  bool fine = true;
  for (const lang::ScheduleStep& step : schedule.steps) {
    const std::string& loop = step.loops.front();
    const text::Span span = step.loop_spans.front();
    Marking marking{loop, 0, false, {}};
    result = marking.mark(result);
    if (marking.found == 0) {
      diagnostics.error("E0106", span, "there is no loop over " + loop + " to run in parallel", "");
      fine = false;
    } else if (marking.serial) {
      text::Diagnostic& d = diagnostics.error("E0107", span, "loop " + loop + " cannot run in parallel: its iterations depend on each other", "");
      d.instance = carried_instance(loops, program, loop);
      if (d.instance) d.instance_text = text::to_string(*d.instance);
      fine = false;
    } else if (!marking.chosen.empty()) {
      diagnostics.error("E0108", span, "loop " + loop + " cannot run in parallel: its iterations choose " + marking.chosen + " among themselves", "")
          .notes.push_back({{}, "sums, products, minima and maxima can be combined between threads; argmin and argmax cannot yet"});
      fine = false;
    }
  }
  return fine ? std::optional(result) : std::nullopt;
}

}  // namespace trellis::schedule
