#include "engine/results/share_results.hpp"

#include <algorithm>
#include <set>

#include "engine/format/level.hpp"
#include "engine/schedule/instances.hpp"
#include "engine/schedule/nests.hpp"
#include "engine/schedule/rename_tensor.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::results {
namespace {

using loop::Expr;
using loop::Stmt;

/// What the loops do with one temporary.
struct Sum {
  std::set<int> starts, updates, reads;  ///< statements
  std::string result;                    ///< whose assignments read it
  bool fits = true;
};

bool reads_only_at(const Expr& e, const std::string& tensor, const std::vector<Expr>& indices) {
  const auto* access = e.as<lang::Access>();
  if (access && access->tensor == tensor && access->indices != indices) return false;
  bool all = true;
  lang::for_each_child(e, [&](const Expr& child) { all = all && reads_only_at(child, tensor, indices); });
  return all;
}

Sum sum_of(const Stmt& loops, const lang::TensorInfo& temporary, const lang::Program& program) {
  Sum uses;
  loop::for_each(loops, [&](const Stmt& s) {
    const auto mentioned = [&](const Expr& e) { return schedule::mentions(e, temporary.name); };
    if (const auto* a = s.as<loop::Assign>()) {
      const lang::Access& target = *a->target.as<lang::Access>();
      const bool own = target.tensor == temporary.name;
      if (!own && !mentioned(a->value) && std::ranges::none_of(target.indices, mentioned)) return;
      if (own && !a->op && a->value.as<lang::Constant>()) uses.starts.insert(s.id());
      else if (own && a->op && !mentioned(a->value)) uses.updates.insert(s.id());
      else if (!own && !a->op && program.tensor(target.tensor) &&
               (uses.result.empty() || uses.result == target.tensor) &&
               reads_only_at(a->value, temporary.name, target.indices)) {
        uses.result = target.tensor;
        uses.reads.insert(s.id());
      } else uses.fits = false;
      return;
    }
    if (const auto* r = s.as<loop::Reset>())
      uses.fits = uses.fits && r->tensor != temporary.name && !mentioned(r->value);
    if (const auto* f = s.as<loop::For>())
      uses.fits = uses.fits && !mentioned(f->low) && !mentioned(f->high) && !(f->until && mentioned(*f->until));
    if (const auto* i = s.as<loop::If>()) uses.fits = uses.fits && !mentioned(i->condition);
    if (const auto* l = s.as<loop::Let>()) uses.fits = uses.fits && !mentioned(l->value);
    if (const auto* w = s.as<loop::While>()) uses.fits = uses.fits && !mentioned(w->condition);
  });
  return uses;
}

class Sharing {
 public:
  Sharing(const Stmt& loops, const lang::Kernel& kernel, const lang::Program& program, math::Solver& solver)
      : loops_(loops), kernel_(kernel), program_(program), solver_(solver) {}

  Stmt run() {
    const auto* block = loops_.as<loop::Block>();
    if (!block || kernel_.loops) return loops_;
    for (const Stmt& s : block->statements)
      if (const auto* d = s.as<loop::Declare>(); d && d->tensor.shape.size() > 1 && d->tensor.format.all_dense())
        share(d->tensor);
    return loops_;
  }

 private:
  void share(const lang::TensorInfo& temporary) {
    const Sum uses = sum_of(loops_, temporary, program_);
    const lang::TensorInfo* result = uses.fits && !uses.result.empty() ? program_.tensor(uses.result) : nullptr;
    if (!result || result->type != temporary.type || result->shape.size() != temporary.shape.size()) return;
    if (shared_.contains(result->name) || !mask_in_its_layout(*result, loops_, kernel_, program_)) return;
    if (!starts_at_fill(uses, *result) || !read_where_updated(uses, temporary.name)) return;
    loops_ = loop::number(moved(loops_, uses, temporary.name, result->name));
    shared_.insert(result->name);
  }

  /// Where nothing was added yet, a masked result is at its fill. Each element starts once.
  bool starts_at_fill(const Sum& uses, const lang::TensorInfo& result) const {
    bool all = !uses.starts.empty() && kernel_.timesteps.empty();
    loop::for_each(loops_, [&](const Stmt& s) {
      if (uses.starts.contains(s.id()))
        all = all && s.as<loop::Assign>()->value.as<lang::Constant>()->value == result.fill;
    });
    for (const schedule::Site& site : schedule::sites(loops_))
      if (uses.starts.contains(site.statement))
        all = all && std::ranges::all_of(site.loops, [&](const schedule::Around& around) {
                return std::ranges::any_of(site.touches.front().index,
                                           [&](const auto& i) { return i && i->mentions(around.variable); });
              });
    return all;
  }

  /// Elements that are added to are all computed: none stays at a sum.
  bool read_where_updated(const Sum& uses, const std::string& temporary) {
    std::vector<math::Domain> computed, added;
    for (const schedule::Site& site : schedule::sites(loops_)) {
      const bool update = uses.updates.contains(site.statement);
      if (!update && !uses.reads.contains(site.statement)) continue;
      const auto touch =
          std::ranges::find_if(site.touches, [&](const schedule::Touch& t) { return t.tensor == temporary; });
      if (touch == site.touches.end() || std::ranges::any_of(touch->index, [](const auto& i) { return !i; }))
        return false;
      if (!update && !site.exact) return false;
      math::Domain domain = site.domain;
      std::vector<std::string> element;
      for (std::size_t d = 0; d < touch->index.size(); ++d) {
        element.push_back("$" + std::to_string(d));
        domain.constraints.push_back({math::Affine::name(element.back()), math::Relation::equal, *touch->index[d]});
      }
      domain.variables.insert(domain.variables.end(), element.begin(), element.end());
      if (!update) computed.push_back(std::move(domain));
      else
        for (math::Domain& piece : solver_.project(domain, element)) added.push_back(std::move(piece));
    }
    return std::ranges::all_of(added, [&](const math::Domain& piece) { return solver_.covers(computed, piece); });
  }

  /// Without the temporary's declaration and start, and with the result in its place; empty where nothing is left.
  static Stmt moved(const Stmt& stmt, const Sum& uses, const std::string& from, const std::string& to) {
    if (uses.starts.contains(stmt.id())) return {};
    if (const auto* d = stmt.as<loop::Declare>(); d && d->tensor.name == from) return {};
    if (const auto* b = stmt.as<loop::Block>()) {
      loop::Block kept;
      for (const Stmt& child : b->statements)
        if (Stmt inner = moved(child, uses, from, to)) kept.statements.push_back(std::move(inner));
      const bool idle = std::ranges::all_of(kept.statements, [](const Stmt& s) { return s.as<loop::Note>(); });
      if (idle && !b->statements.empty() && kept.statements.size() < b->statements.size()) return {};
      return Stmt(loop::StmtNode{std::move(kept), stmt->span}, stmt.origin(), stmt.id());
    }
    bool emptied = false;
    const Stmt inner = loop::map_children(
        stmt,
        [&](const Stmt& child) {
          Stmt next = moved(child, uses, from, to);
          emptied = emptied || !next;
          return next ? next : child;
        },
        [&](const Expr& e) { return schedule::renamed(e, from, to); });
    if (emptied) return {};
    const auto* f = inner.as<loop::For>();
    if (!f || !contains(f->reduces, from)) return inner;
    loop::For next = *f;
    std::ranges::replace(next.reduces, from, to);
    return Stmt(loop::StmtNode{std::move(next), inner->span}, inner.origin(), inner.id());
  }

  Stmt loops_;
  const lang::Kernel& kernel_;
  const lang::Program& program_;
  math::Solver& solver_;
  std::set<std::string> shared_;
};

}  // namespace

bool keeps_order(const format::Facts& facts) { return facts.dense() || facts.sorted_list(); }

const lang::TensorInfo* mask_in_its_layout(const lang::TensorInfo& result, const Stmt& loops,
                                           const lang::Kernel& kernel, const lang::Program& program) {
  const std::vector<std::string> results = kernel.results();
  if (kernel.inherited.contains(result.name) || result.format.pattern ||
      !std::ranges::all_of(format::facts(result.format), keeps_order))
    return nullptr;
  bool reset = false;
  loop::for_each(loops,
                 [&](const Stmt& s) { reset |= s.as<loop::Reset>() && s.as<loop::Reset>()->tensor == result.name; });
  if (reset) return nullptr;
  // Several masks say the same; one that leaves out what it stores narrows them.
  const auto narrows = [&](const lang::Schedule::Mask& m) { return m.tensor == result.name && m.complement; };
  if (std::ranges::any_of(kernel.schedule.masks, narrows)) return nullptr;
  for (const lang::Schedule::Mask& m : kernel.schedule.masks) {
    const lang::TensorInfo* mask = m.tensor == result.name && m.pattern ? program.tensor(*m.pattern) : nullptr;
    if (!mask || contains(results, mask->name) || !mask->format.pattern) continue;
    const bool alike = mask->format.levels == result.format.levels && mask->format.order == result.format.order;
    if (alike && mask->shape == result.shape) return mask;
  }
  return nullptr;
}

Stmt share_results(const Stmt& loops, const lang::Kernel& kernel, const lang::Program& program, math::Solver& solver) {
  return kernel.schedule.masks.empty() ? loops : Sharing(loops, kernel, program, solver).run();
}

}  // namespace trellis::results
