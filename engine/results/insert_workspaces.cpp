#include "engine/results/insert_workspaces.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

#include "engine/format/level.hpp"
#include "engine/results/append_anew.hpp"
#include "engine/results/appends.hpp"
#include "engine/results/collect_slices.hpp"
#include "engine/results/collect_whole.hpp"
#include "engine/results/copy_operand.hpp"
#include "engine/results/scatter.hpp"
#include "engine/results/share_results.hpp"
#include "engine/results/share_structure.hpp"
#include "engine/schedule/nests.hpp"

namespace trellis::results {
namespace {

using loop::Expr;
using loop::Stmt;
using Request = lang::Schedule::Workspace;

const lang::Access* target_of(const Stmt& stmt) {
  const auto* assign = stmt.as<loop::Assign>();
  return assign ? assign->target.as<lang::Access>() : nullptr;
}

/// Tensors of the program that the loops write, and whose format is not dense, in order of appearance.
std::vector<const lang::TensorInfo*> sparse_results(const Stmt& loops, const lang::Program& program) {
  std::vector<const lang::TensorInfo*> found;
  loop::for_each(loops, [&](const Stmt& stmt) {
    const auto* reset = stmt.as<loop::Reset>();
    const lang::Access* target = target_of(stmt);
    const lang::TensorInfo* info = target  ? program.tensor(target->tensor)
                                   : reset ? program.tensor(reset->tensor)
                                           : nullptr;
    if (info && !info->format.all_known() && std::ranges::count(found, info) == 0) found.push_back(info);
  });
  return found;
}

/// Does the first statement that has to do with the tensor reset it?
bool begins_with_reset(const Stmt& loops, const std::string& tensor) {
  for (const Stmt& child : loops.as<loop::Block>()->statements)
    if (schedule::mentions(child, tensor))
      return child.as<loop::Reset>() && !schedule::mentions(child.as<loop::Reset>()->value, tensor);
  return false;
}

/// An element that is updated once, from the fill on, is assigned to; nothing is reduced any more.
Stmt with_assignments(const Stmt& stmt, const std::string& tensor) {
  const Stmt inner = loop::map_children(
      stmt, [&](const Stmt& child) { return with_assignments(child, tensor); }, [](const Expr& e) { return e; });
  const auto made = [&](auto node) {
    return Stmt(loop::StmtNode{std::move(node), inner->span}, inner.origin(), inner.id());
  };
  if (const auto* f = inner.as<loop::For>(); f && std::ranges::count(f->reduces, tensor) > 0) {
    loop::For next = *f;
    std::erase(next.reduces, tensor);
    return made(std::move(next));
  }
  const lang::Access* target = target_of(inner);
  if (!target || target->tensor != tensor || !inner.as<loop::Assign>()->op) return inner;
  return made(loop::Assign{inner.as<loop::Assign>()->target, std::nullopt, inner.as<loop::Assign>()->value});
}

bool begins_at_identity(const Stmt& loops, const lang::TensorInfo& tensor) {
  bool holds = true;
  loop::for_each(loops, [&](const Stmt& stmt) {
    const lang::Access* target = target_of(stmt);
    if (!target || target->tensor != tensor.name || !stmt.as<loop::Assign>()->op) return;
    const format::ReduceOp op = *stmt.as<loop::Assign>()->op;
    holds &= op != format::ReduceOp::user && format::identity(op, tensor.type) == tensor.fill;
  });
  return holds;
}

Stmt with_first(const Stmt& loops, const Stmt& first) {
  loop::Block all{{first}};
  const auto& rest = loops.as<loop::Block>()->statements;
  all.statements.insert(all.statements.end(), rest.begin(), rest.end());
  return Stmt(loop::StmtNode{std::move(all), loops->span}, loops.origin(), loops.id());
}

class Inserter {
 public:
  Inserter(const Stmt& loops, const lang::Kernel& kernel, const lang::Program& program, math::Solver& solver,
           text::Diagnostics& diagnostics)
      : kernel_(kernel), program_(program), solver_(solver), diagnostics_(diagnostics) {
    result_.loops = loops.as<loop::Block>() ? loops : loop::block({loops});
  }

  std::optional<Insertion> run(const std::vector<const lang::TensorInfo*>& tensors) {
    for (const Request& request : kernel_.schedule.workspaces)
      if (!std::ranges::any_of(tensors, [&](const lang::TensorInfo* t) { return t->name == request.tensor; }) &&
          !read_copy(request))
        return std::nullopt;
    for (const lang::TensorInfo* tensor : tensors) {
      const Stmt numbered = loop::number(result_.loops);
      auto written = write(*tensor, numbered);
      if (!written) return std::nullopt;
      result_.written.push_back(std::move(*written));
    }
    store_temporaries();
    result_.loops = loop::number(result_.loops);
    assert(loop::verify(result_.loops, program_).empty());
    return std::move(result_);
  }

 private:
  const Request* request_for(const std::string& tensor) const {
    const Request* found = nullptr;
    for (const Request& request : kernel_.schedule.workspaces)
      if (request.tensor == tensor) found = &request;
    return found;
  }

  Held what_is_held(const lang::TensorInfo& tensor, const Stmt& loops) {
    if (!kernel_.inherited.contains(tensor.name)) return Held::nothing;
    if (begins_with_reset(loops, tensor.name) || overwrites(schedule::sites(loops), tensor, solver_))
      return Held::waste;
    return Held::kept;
  }

  /// Without writing the fill to what holds it already.
  Stmt trimmed(const Stmt& loops, const lang::TensorInfo& tensor) {
    if (is_reset_to_others(loops, tensor)) return loops;
    std::vector<int> fills;
    loop::for_each(loops, [&](const Stmt& stmt) {
      const lang::Access* target = target_of(stmt);
      if (target && target->tensor == tensor.name && !stmt.as<loop::Assign>()->op &&
          is_fill(stmt.as<loop::Assign>()->value, tensor))
        fills.push_back(stmt.id());
    });
    if (fills.empty()) return loops;
    const std::vector<int> idle = idle_writes(schedule::sites(loops), fills, tensor, solver_);
    return loop::number(schedule::without(loops, {idle.begin(), idle.end()}));
  }

  bool read_copy(const Request& request) {
    auto copied = copy_operand(result_.loops, *program_.tensor(request.tensor), request.name, request.kind, program_);
    if (!copied) {
      diagnostics_.error("E0148", request.span, "the loops read " + request.tensor + " in the order of its storage",
                         "a copy would be of no use");
      return false;
    }
    result_.loops = std::move(copied->loops);
    result_.written.push_back(std::move(copied->written));
    return true;
  }

  std::optional<Written> write(const lang::TensorInfo& tensor, Stmt loops) {
    const Request* request = request_for(tensor.name);
    const Held held = what_is_held(tensor, loops);
    std::string reason = "elements that nothing writes keep what " + tensor.name + " held";
    if (held != Held::kept) {
      if (held == Held::waste && !begins_with_reset(loops, tensor.name))
        loops = loop::number(with_first(loops, start_at_fill(tensor, loops)));
      loops = trimmed(loops, tensor);
      if (const lang::TensorInfo* mask = request ? nullptr : mask_in_its_layout(tensor, loops, kernel_, program_)) {
        result_.loops = loops;
        return Written{tensor.name, Written::How::masked, {}, "", mask->name};
      }
      if (const lang::TensorInfo* operand = request ? nullptr : structure_for(tensor, loops, program_)) {
        result_.loops = loops;
        return Written{tensor.name, Written::How::shared, {}, "", operand->name};
      }
      if (is_reset_to_others(loops, tensor)) reason = tensor.name + " is reset to another value than its fill";
      else if (auto found = append(tensor, loops, request, reason)) return found;
    } else if (auto anew = request ? std::nullopt : append_anew(loops, tensor, program_, solver_)) {
      result_.loops = std::move(anew->loops);
      return Written{tensor.name, Written::How::anew, std::move(anew->workspaces)};
    }
    if (request && request->inner.size() < tensor.shape.size()) return refuse(tensor, *request, reason);
    const std::string name = request ? request->name : tensor.name + "_w";
    Whole whole =
        collect_whole(loops, tensor, name, request ? std::optional(request->kind) : std::nullopt, held, program_);
    result_.loops = whole.loops;
    return Written{tensor.name, Written::How::whole, std::move(whole.workspaces), reason};
  }

  /// As the loops stand, or with the smallest workspaces that do.
  std::optional<Written> append(const lang::TensorInfo& tensor, const Stmt& loops, const Request* request,
                                std::string& reason) {
    const std::size_t rank = tensor.shape.size();
    const auto obstacle = append_obstacle(schedule::sites(loops), tensor, solver_);
    if (!obstacle && !request && begins_at_identity(loops, tensor)) {
      result_.loops = with_assignments(loops, tensor.name);
      return Written{tensor.name};
    }
    reason = obstacle.value_or("an update does not begin at the fill of " + tensor.name);
    if (auto scattered =
            request || !begins_at_identity(loops, tensor) ? std::nullopt : scatter(loops, tensor, solver_)) {
      result_.loops = with_assignments(*scattered, tensor.name);
      return Written{tensor.name, Written::How::scattered, {}, reason};
    }
    std::size_t most = rank, least = 1;
    if (request) {
      most = least = rank - request->inner.size();
      if (least == 0 || !fits_storage(tensor, *request)) return std::nullopt;
    }
    for (std::size_t fixed = most; fixed >= least; --fixed) {
      auto slices = collect_slices(loops, tensor, fixed, request ? request->name : tensor.name + "_w",
                                   request ? request->kind : WorkspaceKind::bytemap, program_, solver_);
      if (!slices) continue;
      if (append_obstacle(schedule::sites(loop::number(slices->loops)), tensor, solver_)) continue;
      result_.loops = with_assignments(slices->loops, tensor.name);
      return Written{tensor.name, Written::How::slices, std::move(slices->workspaces), reason};
    }
    return std::nullopt;
  }

  static bool fits_storage(const lang::TensorInfo& tensor, const Request& request) {
    const auto inner = tensor.format.order.end() - static_cast<std::ptrdiff_t>(request.inner.size());
    return std::is_permutation(inner, tensor.format.order.end(), request.inner.begin(), request.inner.end());
  }

  std::optional<Written> refuse(const lang::TensorInfo& tensor, const Request& request, const std::string& reason) {
    std::string slice = tensor.name + "(";
    for (std::size_t d = 0; d < tensor.shape.size(); ++d)
      slice += std::string(d ? "," : "") +
               (std::ranges::count(request.inner, static_cast<int>(d)) > 0 ? ":" : std::string(1, "ijklmnop"[d % 8]));
    auto& d = diagnostics_.error("E0146", request.span,
                                 "the loops do not finish " + slice + ") before they begin the next", "");
    d.notes.push_back({{},
                       fits_storage(tensor, request) ? reason
                                                     : "its format, " + format::to_string(tensor.format) +
                                                           ", stores other dimensions innermost"});
    std::string all;
    for (std::size_t k = 0; k < tensor.shape.size(); ++k) all += k ? ",:" : ":";
    d.notes.push_back({{}, "`workspace " + request.name + " for " + tensor.name + "(" + all + ")` always fits"});
    return std::nullopt;
  }

  /// Temporaries that are declared in a format which only appends.
  void store_temporaries() {
    const Stmt loops = loop::number(result_.loops);
    const std::vector<schedule::Site> all = schedule::sites(loops);
    result_.loops = stored(loops, loops, all);
  }

  Stmt stored(const Stmt& stmt, const Stmt& loops, const std::vector<schedule::Site>& all) {
    const auto* d = stmt.as<loop::Declare>();
    if (!d)
      return loop::map_children(
          stmt, [&](const Stmt& child) { return stored(child, loops, all); }, [](const Expr& e) { return e; });
    const bool others = is_reset_to_others(loops, d->tensor);
    if (d->tensor.format.all_known() || (takes_any_order(d->tensor.format) && !others)) return stmt;
    lang::TensorInfo tensor = d->tensor;
    tensor.format = whole_format(all, tensor, others, std::nullopt);
    result_.written.push_back(
        {tensor.name,
         Written::How::instead,
         {tensor},
         others ? tensor.name + " is reset to another value than its fill" : "it is a temporary"});
    return Stmt(loop::StmtNode{loop::Declare{std::move(tensor)}, stmt->span}, stmt.origin(), stmt.id());
  }

  const lang::Kernel& kernel_;
  const lang::Program& program_;
  math::Solver& solver_;
  text::Diagnostics& diagnostics_;
  Insertion result_;
};

/// Appending is done element by element, and so is inserting into anything but a dense workspace. Says at which loop it
/// is not; for threads flow/count_appends.hpp does.
bool vectors_are_dense(const Stmt& loops, const lang::Kernel& kernel, const lang::Program& program,
                       text::Diagnostics& diagnostics) {
  std::map<std::string, lang::TensorInfo> declared;
  loop::for_each(loops, [&](const Stmt& stmt) {
    if (const auto* d = stmt.as<loop::Declare>()) declared[d->tensor.name] = d->tensor;
  });
  const auto written = [&](const Stmt& stmt) -> const lang::TensorInfo* {
    const auto* reset = stmt.as<loop::Reset>();
    const lang::Access* target = target_of(stmt);
    if (!reset && !target) return nullptr;
    const std::string& name = target ? target->tensor : reset->tensor;
    const auto own = declared.find(name);
    const lang::TensorInfo* info = own != declared.end() ? &own->second : program.tensor(name);
    return info && !info->format.all_known() ? info : nullptr;
  };
  bool dense = true;
  loop::for_each(loops, [&](const Stmt& stmt) {
    const auto* f = stmt.as<loop::For>();
    if (!dense || !f || f->execution != loop::For::Execution::vectorized) return;
    const lang::TensorInfo* sparse = nullptr;
    loop::for_each(f->body, [&](const Stmt& inner) {
      const lang::TensorInfo* here = written(inner);
      if (here && (!sparse || program.tensor(here->name))) sparse = here;
    });
    if (!sparse) return;
    dense = false;
    text::Span span = stmt->span;
    for (const lang::ScheduleStep& step : kernel.schedule.steps)
      if (step.kind == lang::ScheduleStep::Kind::vectorize && step.loops.front() == f->variable) span = step.span;
    const bool result = program.tensor(sparse->name);
    auto& d = diagnostics.error("E0147", span,
                                "loop " + f->variable + " cannot run in vectors: its iterations " +
                                    (result ? "append to " : "share ") + sparse->name,
                                "");
    d.notes.push_back({{},
                       "vectors can write dense storage alone; `workspace w for T(:,:) dense` collects all of a result "
                       "T in a dense array"});
  });
  return dense;
}

bool declares_sparse(const Stmt& loops) {
  bool found = false;
  loop::for_each(loops, [&](const Stmt& stmt) {
    found |= stmt.as<loop::Declare>() && !stmt.as<loop::Declare>()->tensor.format.all_known();
  });
  return found;
}

}  // namespace

std::optional<Insertion> insert_workspaces(const Stmt& loops, const lang::Kernel& kernel, const lang::Program& program,
                                           math::Solver& solver, text::Diagnostics& diagnostics) {
  const auto tensors = sparse_results(loops, program);
  if (tensors.empty() && kernel.schedule.workspaces.empty() && !declares_sparse(loops)) return Insertion{loops, {}};
  auto insertion = Inserter(loops, kernel, program, solver, diagnostics).run(tensors);
  if (insertion && !vectors_are_dense(insertion->loops, kernel, program, diagnostics)) return std::nullopt;
  return insertion;
}

}  // namespace trellis::results
