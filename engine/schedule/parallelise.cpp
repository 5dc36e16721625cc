#include "engine/schedule/parallelise.hpp"

#include <string>

#include "engine/schedule/carried_instance.hpp"

namespace trellis::schedule {
namespace {

using loop::For;
using loop::Stmt;

struct Marking {
  const std::string& variable;
  int found = 0;
  bool serial = false;

  Stmt mark(const Stmt& stmt) {
    const Stmt inner = loop::map_children(
        stmt, [&](const Stmt& child) { return mark(child); }, [](const loop::Expr& expr) { return expr; });
    const For* loop = inner.as<For>();
    if (!loop || loop->variable != variable) return inner;
    ++found;
    serial |= loop->kind == For::Kind::serial;
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
  for (const lang::Schedule::Parallel& wanted : schedule.parallel) {
    Marking marking{wanted.loop};
    result = marking.mark(result);
    if (marking.found == 0) {
      diagnostics.error("E0106", wanted.span, "there is no loop over " + wanted.loop + " to run in parallel", "");
      fine = false;
    } else if (marking.serial) {
      text::Diagnostic& d = diagnostics.error("E0107", wanted.span, "loop " + wanted.loop + " cannot run in parallel: its iterations depend on each other", "");
      d.instance = carried_instance(loops, program, wanted.loop);
      if (d.instance) d.instance_text = text::to_string(*d.instance);
      fine = false;
    }
  }
  return fine ? std::optional(result) : std::nullopt;
}

}  // namespace trellis::schedule
