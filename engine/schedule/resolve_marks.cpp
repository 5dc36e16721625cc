#include "engine/schedule/resolve_marks.hpp"

#include <algorithm>
#include <set>

#include "engine/schedule/await.hpp"
#include "engine/schedule/jam.hpp"
#include "engine/schedule/mark.hpp"
#include "engine/schedule/wording.hpp"

namespace trellis::schedule {
namespace {

using loop::For;
using loop::Stmt;

bool is_marked(const For& f) {
  return f.kind == For::Kind::forall || f.execution != For::Execution::serial || f.jam > 1;
}

class Marks {
 public:
  Marks(const Stmt& loops, const lang::Program& program, math::Solver& solver, text::Diagnostics& diagnostics)
      : all_(loops), nest_(analyse(loops, program, solver)), solver_(solver), diagnostics_(diagnostics) {}

  Stmt resolve() {
    Stmt settled = resolve(all_);
    for (const std::string& variable : waiting_) settled = std::get<Stmt>(awaiting(settled, nest_, variable, solver_));
    return settled;
  }

 private:
  Stmt resolve(const Stmt& stmt) {
    const bool counted = stmt.as<For>() || stmt.as<loop::While>();
    const int number = counted ? ++loops_ : 0;
    const Stmt inner = loop::map_children(
        stmt, [&](const Stmt& child) { return resolve(child); }, [](const loop::Expr& expr) { return expr; });
    const auto* f = inner.as<For>();
    if (!f || !is_marked(*f)) return inner;
    if (f->jam > 1 && !may_jam(inner, *f, number)) return inner;
    if (f->kind != For::Kind::forall && f->execution == For::Execution::serial) return inner;
    const Carries carried = carries(nest_, number);
    if (may_wait(*f, carried)) {
      waiting_.insert(f->variable);
      return inner;
    }
    if (!is_free(inner, *f, carried)) return inner;
    For free = *f;
    free.kind = For::Kind::forall;
    free.reduces = carried.reduces;
    return Stmt(loop::StmtNode{std::move(free), inner->span}, inner.origin(), inner.id());
  }

  /// Parallel, though no forall: iterations wait for each other.
  bool may_wait(const For& f, const Carries& carried) {
    return carried.order && !f.until && f.kind == For::Kind::serial && f.execution == For::Execution::parallel &&
           std::holds_alternative<Stmt>(awaiting(all_, nest_, f.variable, solver_));
  }

  bool may_jam(const Stmt& stmt, const For& f, int number) {
    if (const auto unfit = cannot_jam(stmt, f.variable)) {
      diagnostics_.error(unfit->code, stmt->span, unfit->message, unfit->note);
      return false;
    }
    const auto violation = jammed_too_early(nest_, number, f.jam, solver_);
    if (!violation) return true;
    const std::string jam = "`jam " + std::to_string(f.jam) + "`";
    report("E0140", stmt, jam + " would change the result of loop " + f.variable, *violation);
    return false;
  }

  void report(const char* code, const Stmt& stmt, const std::string& message, const Violation& violation) {
    text::Diagnostic& d = diagnostics_.error(code, stmt->span, message, describe(violation.dependence));
    d.instance = to_instance(violation);
    d.instance_text = to_string(violation);
  }

  bool is_free(const Stmt& stmt, const For& f, const Carries& carried) {
    const bool vectors = f.execution == For::Execution::vectorized;
    const std::string cannot = "loop " + f.variable +
                               (vectors                                   ? " cannot run in vectors"
                                : f.execution == For::Execution::parallel ? " cannot run in parallel"
                                                                          : " is no forall");
    const char* code = vectors ? "E0142" : "E0107";
    if (carried.order) {
      const Violation violation = smallest(nest_, *carried.order, carried.order->pairs, solver_);
      report(code, stmt, cannot + ": its iterations depend on each other", violation);
      return false;
    }
    if (f.until) {
      diagnostics_.error(code, stmt->span, cannot + ": it ends early, by until");
      return false;
    }
    if (vectors && f.lanes == 1 && adds_up(f, carried.reduces)) {
      text::Diagnostic& d = diagnostics_.error(
          "E0143", stmt->span,
          cannot + ": its iterations add up a sum, and another order of additions rounds differently");
      d.notes.push_back({{}, "or allow it: `vectorize 8` adds up in 8 parts, which round in their own way"});
      return false;
    }
    return true;
  }

  static bool adds_up(const For& f, const std::vector<std::string>& reduces) {
    bool found = false;
    loop::for_each(f.body, [&](const Stmt& inner) {
      const auto* assign = inner.as<loop::Assign>();
      found |= assign && assign->op && format::is_floating(assign->target->type) &&
               std::ranges::count(reduces, assign->target.as<lang::Access>()->tensor) > 0;
    });
    return found;
  }

  const Stmt& all_;
  Nest nest_;
  math::Solver& solver_;
  text::Diagnostics& diagnostics_;
  std::set<std::string> waiting_;  ///< variables of parallel loops whose iterations do
  int loops_ = 0;
};

}  // namespace

std::optional<Stmt> resolve_marks(const Stmt& loops, const lang::Program& program, math::Solver& solver,
                                  text::Diagnostics& diagnostics) {
  bool marked = false;
  loop::for_each(loops, [&](const Stmt& stmt) { marked |= stmt.as<For>() && is_marked(*stmt.as<For>()); });
  if (!marked) return loops;
  text::Diagnostics found;
  const Stmt settled = Marks(loops, program, solver, found).resolve();
  diagnostics.append(found);
  return found.has_errors() ? std::nullopt : std::optional(settled);
}

}  // namespace trellis::schedule
