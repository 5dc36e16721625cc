#include "engine/results/apply_masks.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/results/mask_condition.hpp"
#include "engine/results/read_under_masks.hpp"
#include "engine/results/start_under_masks.hpp"
#include "engine/results/vanishes.hpp"
#include "engine/schedule/nests.hpp"

namespace trellis::results {
namespace {

using loop::Expr;
using loop::Stmt;

class Masking {
 public:
  /// `widen`: the masks stay as they are, and elements that they leave out are at their fill.
  Masking(const lang::TensorInfo& tensor, std::vector<const lang::TensorInfo*> masks, bool complement, bool widen)
      : tensor_(tensor), masks_(std::move(masks)), complement_(complement), widen_(widen) {}

  Stmt mask(const Stmt& stmt) {
    const auto* f = stmt.as<loop::For>();
    if (f) loops_.push_back(f->variable);
    Stmt inner = loop::map_children(
        stmt, [&](const Stmt& child) { return mask(child); }, [](const Expr& e) { return e; });
    if (inner.as<loop::Block>()) inner = guarded_children(inner);
    if (f) loops_.pop_back();
    return inner;
  }

 private:
  const lang::Access* target(const Stmt& stmt) const {
    const auto* a = stmt.as<loop::Assign>();
    const auto* access = a ? a->target.as<lang::Access>() : nullptr;
    return access && access->tensor == tensor_.name ? access : nullptr;
  }

  /// Statements that run where the mask has an element.
  struct Guarded {
    std::vector<Expr> indices;
    std::vector<Stmt> statements;
  };

  /// A write, or a loop around nothing but a guard whose element it does not choose.
  std::optional<Guarded> guarded(const Stmt& stmt) const {
    if (const auto* access = target(stmt)) return Guarded{access->indices, {stmt}};
    const auto* f = stmt.as<loop::For>();
    const Stmt only = f && !f->until && widen_ ? only_guard(f->body) : Stmt();
    if (!only) return std::nullopt;
    const std::vector<Expr>& indices = guards_.at(key(only));
    if (std::ranges::any_of(
            indices, [&](const Expr& e) { return std::ranges::count(lang::free_variables(e), f->variable) > 0; }))
      return std::nullopt;
    loop::For inner = *f;
    inner.body = only.as<loop::If>()->then;
    return Guarded{indices, {Stmt(loop::StmtNode{std::move(inner), stmt->span}, stmt.origin())}};
  }

  Stmt only_guard(const Stmt& body) const {
    const Stmt only = schedule::only_statement(body);
    return only && guards_.contains(key(only)) ? only : Stmt();
  }

  static const void* key(const Stmt& stmt) { return &*stmt; }

  /// Each guarded child takes in what stands around it and serves it alone.
  Stmt guarded_children(const Stmt& stmt) {
    std::vector<Stmt> children = stmt.as<loop::Block>()->statements;
    bool changed = false;
    for (std::size_t k = 0; k < children.size(); ++k) {
      const auto found = guarded(children[k]);
      if (!found) continue;
      changed = true;
      std::size_t first = k, last = k;
      const auto at_fill = [&](const lang::Access& a) -> std::optional<format::Value> {
        if (a.tensor == tensor_.name && a.indices == found->indices) return tensor_.fill;
        return std::nullopt;
      };
      const auto joins = [&](const Stmt& next) { return !guarded(next) && vanishes(next, at_fill); };
      while (widen_ && last + 1 < children.size() && joins(children[last + 1])) ++last;
      while (widen_ && first > 0 && serves(children, first - 1, last)) --first;
      const auto at = [&](std::size_t position) { return children.begin() + static_cast<std::ptrdiff_t>(position); };
      std::vector<Stmt> inside(at(first), at(k));
      inside.insert(inside.end(), found->statements.begin(), found->statements.end());
      inside.insert(inside.end(), at(k + 1), at(last + 1));
      const Stmt guard(loop::StmtNode{loop::If{condition(found->indices), loop::block(std::move(inside)), std::nullopt},
                                      children[k]->span},
                       children[k].origin());
      guards_[key(guard)] = found->indices;
      kept_.push_back(guard);
      children.erase(at(first), at(last + 1));
      children.insert(at(first), guard);
      k = first;
    }
    return changed ? Stmt(loop::StmtNode{loop::Block{std::move(children)}, stmt->span}, stmt.origin(), stmt.id())
                   : stmt;
  }

  /// Does a child change nothing but temporaries of this block, which no child behind `last` mentions?
  static bool serves(const std::vector<Stmt>& children, std::size_t at, std::size_t last) {
    std::set<std::string> here, inside, written;
    for (std::size_t k = 0; k <= at; ++k)
      if (const auto* d = children[k].as<loop::Declare>()) here.insert(d->tensor.name);
    loop::for_each(children[at], [&](const Stmt& s) {
      if (const auto* a = s.as<loop::Assign>()) written.insert(a->target.as<lang::Access>()->tensor);
      if (const auto* r = s.as<loop::Reset>()) written.insert(r->tensor);
      if (const auto* d = s.as<loop::Declare>()) (s.same(children[at]) ? written : inside).insert(d->tensor.name);
    });
    return !children[at].as<loop::Note>() && std::ranges::all_of(written, [&](const std::string& name) {
      if (inside.contains(name)) return true;
      return here.contains(name) &&
             std::none_of(children.begin() + static_cast<std::ptrdiff_t>(last) + 1, children.end(),
                          [&](const Stmt& behind) { return schedule::mentions(behind, name); });
    });
  }

  /// In the mask whose innermost level goes with the deepest loop.
  Expr condition(const std::vector<Expr>& indices) const {
    const auto depth = [&](const Expr& index) {
      std::size_t deepest = 0;
      for (const std::string& v : lang::free_variables(index)) {
        const auto at = std::ranges::find(loops_, v);
        if (at != loops_.end()) deepest = std::max(deepest, static_cast<std::size_t>(at - loops_.begin()) + 1);
      }
      return deepest;
    };
    const lang::TensorInfo* best = masks_.front();
    std::size_t most = 0;
    for (const lang::TensorInfo* mask : masks_) {
      if (mask->format.order.empty() || mask->format.layout) continue;
      const std::size_t at = depth(indices[static_cast<std::size_t>(mask->format.order.back())]);
      if (at <= most) continue;
      most = at;
      best = mask;
    }
    return mask_condition(*best, indices, complement_);
  }

  const lang::TensorInfo& tensor_;
  std::vector<const lang::TensorInfo*> masks_;
  bool complement_;                 ///< what they store is left out
  std::vector<std::string> loops_;  ///< around, outermost first
  bool widen_;
  std::map<const void*, std::vector<Expr>> guards_;  ///< by node: the element that each is about
  std::vector<Stmt> kept_;                           ///< so that their addresses stay theirs
};

}  // namespace

Masks masks_apart(const std::vector<lang::Schedule::Mask>& masks, const lang::Program& program) {
  Masks apart;
  for (const lang::Schedule::Mask& mask : masks) {
    const auto layout_of = [&](const std::string& tensor) { return program.tensor(tensor)->format.layout; };
    const auto own = layout_of(mask.tensor), other = mask.pattern ? layout_of(*mask.pattern) : nullptr;
    const bool alike = own == other || (own && other && *own == *other);
    (alike || !mask.pattern ? apart.as_stored : apart.by_element).push_back(mask);
  }
  return apart;
}

Stmt apply_masks(const Stmt& loops, const lang::Kernel& kernel, const lang::Program& program) {
  Stmt result = loops;
  std::set<std::string> done, fixed;
  const std::vector<std::string> results = kernel.results();
  const auto is_fixed = [&](const lang::TensorInfo* mask) { return std::ranges::count(results, mask->name) == 0; };
  for (const lang::Schedule::Mask& first : kernel.schedule.masks) {
    if (!done.insert(first.tensor).second) continue;
    const lang::TensorInfo& tensor = *program.tensor(first.tensor);
    // Those that leave the entries out, and those that take them: one of each is enough.
    for (const bool complement : {true, false}) {
      std::vector<const lang::TensorInfo*> masks;
      for (const lang::Schedule::Mask& m : kernel.schedule.masks)
        if (m.tensor == first.tensor && m.pattern && m.complement == complement)
          masks.push_back(program.tensor(*m.pattern));
      if (masks.empty()) continue;
      const bool widen = std::ranges::all_of(masks, is_fixed) && !kernel.inherited.contains(first.tensor);
      result = Masking(tensor, masks, complement, widen).mask(result);
      if (widen && !complement) result = read_under_masks(result, tensor, masks);
      for (const lang::TensorInfo* mask : masks)
        if (is_fixed(mask)) fixed.insert(mask->name);
    }
  }
  return result.same(loops) ? loops : loop::number(start_under_masks(result, fixed));
}

}  // namespace trellis::results
