#include "engine/results/collect_slices.hpp"

#include <algorithm>
#include <map>

#include "engine/loop/context.hpp"
#include "engine/schedule/touches.hpp"

namespace trellis::results {
namespace {

using loop::Expr;
using loop::Stmt;
using math::Affine;
using math::Relation;

void bind(const Stmt& stmt, schedule::Names& names) {
  const auto* l = stmt.as<loop::Let>();
  if (!l) return;
  if (auto value = names.affine(l->value)) names.values[l->name] = *value;
  else names.opaque.push_back(l->name);
}

/// A statement that writes the tensor, with all that stands around it, outermost first and itself last.
struct Write {
  std::vector<Stmt> path;
  std::vector<Affine> prefix;
};

/// Children first to last of a block, whose writes share a prefix.
struct Region {
  std::vector<Affine> prefix;
  std::vector<const Write*> writes;
  std::size_t depth = 0;  ///< of the block on the writes' paths
  std::size_t first = 0, last = 0;
  lang::TensorInfo workspace = {};
  bool direct = false;  ///< a single assignment: nothing is collected

  const Stmt& block() const { return writes.front()->path[depth]; }
};

class Slicing {
 public:
  Slicing(const Stmt& loops, const lang::TensorInfo& tensor, std::size_t fixed, std::string name, WorkspaceKind kind,
          const lang::Program& program, math::Solver& solver, const lang::TensorInfo* old)
      : loops_(loops),
        tensor_(tensor),
        fixed_(fixed),
        name_(std::move(name)),
        kind_(kind),
        names_(loops, program),
        solver_(solver),
        old_(old) {}

  std::optional<Slices> run() {
    std::vector<Stmt> path;
    if (!find_writes(loops_, path, {}) || writes_.empty()) return std::nullopt;
    for (const Write& write : writes_) assign_region(write);
    for (Region& region : regions_) narrow(region);
    for (const Region& region : regions_)
      if (!region.direct && (overlaps(region) || !stays_inside(region))) return std::nullopt;
    if (std::ranges::all_of(regions_, &Region::direct)) return std::nullopt;
    Slices result;
    for (Region& region : regions_) {
      if (region.direct) continue;
      region.workspace = workspace(region);
      result.workspaces.push_back(region.workspace);
    }
    result.loops = rewrite(loops_, {});
    return result;
  }

 private:
  std::optional<std::vector<Affine>> prefix_of(const lang::Access& access, const schedule::Names& names) const {
    std::vector<Affine> prefix;
    for (std::size_t level = 0; level < fixed_; ++level) {
      auto form = names.affine(access.indices[static_cast<std::size_t>(tensor_.format.order[level])]);
      if (!form) return std::nullopt;
      prefix.push_back(std::move(*form));
    }
    return prefix;
  }

  const lang::Access* target(const Stmt& stmt) const {
    const auto* assign = stmt.as<loop::Assign>();
    const auto* access = assign ? assign->target.as<lang::Access>() : nullptr;
    return access && access->tensor == tensor_.name ? access : nullptr;
  }

  bool find_writes(const Stmt& stmt, std::vector<Stmt>& path, schedule::Names names) {
    path.push_back(stmt);
    bool known = true;
    if (const auto* access = target(stmt)) {
      const auto prefix = prefix_of(*access, names);
      known = prefix.has_value();
      if (known) writes_.push_back({path, *prefix});
    }
    bind(stmt, names);
    loop::for_each_child(
        stmt, [&](const Stmt& child) { known = known && find_writes(child, path, names); }, [](const Expr&) {});
    path.pop_back();
    return known;
  }

  // The body of the innermost loop that the prefix names; without any, the whole.
  void assign_region(const Write& write) {
    std::size_t depth = 0;
    for (std::size_t k = 0; k + 1 < write.path.size(); ++k) {
      const auto* f = write.path[k].as<loop::For>();
      if (f && std::ranges::any_of(write.prefix, [&](const Affine& form) { return form.mentions(f->variable); }))
        depth = k + 1;
    }
    for (Region& region : regions_) {
      if (region.block().id() != write.path[depth].id() || region.prefix != write.prefix) continue;
      region.writes.push_back(&write);
      return;
    }
    Region region{write.prefix, {&write}};
    region.depth = depth;
    regions_.push_back(std::move(region));
  }

  // To the children that write; into a condition or a `let` that holds all writes, so that what it guards stays
  // guarded.
  void narrow(Region& region) const {
    for (;;) {
      const auto& children = region.block().as<loop::Block>()->statements;
      region.first = children.size();
      for (const Write* write : region.writes) {
        const std::size_t at = position(children, write->path[region.depth + 1]);
        region.first = std::min(region.first, at);
        region.last = std::max(region.last, at);
      }
      const Stmt& only = children[region.first];
      if (region.first != region.last) return;
      if (target(only)) {
        region.direct = appends(*only.as<loop::Assign>());
        return;
      }
      const std::size_t inner = region.depth + (only.as<loop::Block>() ? 1 : 2);
      if (!only.as<loop::Block>() && !only.as<loop::If>() && !only.as<loop::Let>()) return;
      const int block = region.writes.front()->path[inner].id();
      if (std::ranges::any_of(region.writes, [&](const Write* write) { return write->path[inner].id() != block; }))
        return;
      region.depth = inner;
      region.last = 0;
    }
  }

  static std::size_t position(const std::vector<Stmt>& children, const Stmt& child) {
    return static_cast<std::size_t>(
        std::ranges::find_if(children, [&](const Stmt& s) { return s.id() == child.id(); }) - children.begin());
  }

  /// An update of an element that holds the fill is an assignment if the fill is the operation's identity.
  bool appends(const loop::Assign& assign) const {
    if (old_ || fixed_ < tensor_.shape.size() || reads(assign.value)) return false;
    return !assign.op ||
           (*assign.op != format::ReduceOp::user && format::identity(*assign.op, tensor_.type) == tensor_.fill);
  }

  bool reads(const Expr& expr) const {
    const auto* access = expr.as<lang::Access>();
    bool found = access && access->tensor == tensor_.name;
    lang::for_each_child(expr, [&](const Expr& child) { found = found || reads(child); });
    return found;
  }

  /// Is another region's block inside this one, or do they share children?
  bool overlaps(const Region& region) const {
    return std::ranges::any_of(regions_, [&](const Region& other) {
      if (&other == &region) return false;
      const auto& path = other.writes.front()->path;
      if (region.depth + 1 >= path.size() || path[region.depth].id() != region.block().id()) return false;
      const auto& children = region.block().as<loop::Block>()->statements;
      const bool same = other.block().id() == region.block().id();
      const std::size_t first = same ? other.first : position(children, path[region.depth + 1]);
      const std::size_t last = same ? other.last : first;
      return first <= region.last && region.first <= last;
    });
  }

  /// The copy runs wherever the block does: its prefix must be in range there.
  bool stays_inside(const Region& region) const {
    loop::Context known(solver_);
    const auto& path = region.writes.front()->path;
    for (std::size_t k = 0; k < region.depth; ++k) {
      const auto* choice = path[k].as<loop::If>();
      known = known.within(path[k], !choice || choice->then.id() == path[k + 1].id());
    }
    for (std::size_t level = 0; level < fixed_; ++level) {
      const Affine& size = tensor_.shape[static_cast<std::size_t>(tensor_.format.order[level])];
      if (!known.implies({0, Relation::less_equal, region.prefix[level]}) ||
          !known.implies({region.prefix[level], Relation::less, size}))
        return false;
    }
    return true;
  }

  bool is_fixed(std::size_t dimension) const {
    const auto begin = tensor_.format.order.begin(), end = begin + static_cast<std::ptrdiff_t>(fixed_);
    return std::find(begin, end, static_cast<int>(dimension)) != end;
  }

  /// Dimensions that the workspace keeps, in storage order.
  std::vector<int> walked() const {
    return {tensor_.format.order.begin() + static_cast<std::ptrdiff_t>(fixed_), tensor_.format.order.end()};
  }

  lang::TensorInfo workspace(const Region& region) {
    lang::TensorInfo info;
    info.name = names_.take(name_);
    info.type = tensor_.type;
    info.fill = tensor_.fill;
    info.kind = lang::TensorInfo::Kind::temporary;
    info.span = region.writes.front()->path.back()->span;
    std::vector<int> kept = walked();
    for (std::size_t d = 0; d < tensor_.shape.size(); ++d)
      if (!is_fixed(d)) info.shape.push_back(tensor_.shape[d]);
    // Their numbers among those that are kept.
    std::vector<int> sorted = kept;
    std::ranges::sort(sorted);
    for (int& d : kept) d = static_cast<int>(std::ranges::find(sorted, d) - sorted.begin());
    info.format = workspace_format(kind_, std::move(kept));
    return info;
  }

  // ---- the new loops

  Stmt rewrite(const Stmt& stmt, schedule::Names names) {
    if (const auto* b = stmt.as<loop::Block>()) return rewrite_block(stmt, *b, names);
    bind(stmt, names);
    // The value of a `let` does not see its own name, but nor can it mention it.
    const Stmt inner = loop::map_children(
        stmt, [&](const Stmt& child) { return rewrite(child, names); },
        [&](const Expr& e) { return rewrite(e, names); });
    const auto* f = inner.as<loop::For>();
    if (!f || std::ranges::count(f->reduces, tensor_.name) == 0) return inner;
    loop::For next = *f;
    std::erase(next.reduces, tensor_.name);
    if (!active_.empty()) next.reduces.push_back(active_.back()->workspace.name);
    return Stmt(loop::StmtNode{std::move(next), inner->span}, inner.origin(), inner.id());
  }

  Stmt rewrite_block(const Stmt& stmt, const loop::Block& b, const schedule::Names& names) {
    loop::Block next;
    bool changed = false;
    for (std::size_t k = 0; k < b.statements.size(); ++k) {
      const Region* region = region_at(stmt.id(), k);
      if (region && k == region->first) open(*region, b.statements[k], next);
      next.statements.push_back(rewrite(b.statements[k], names));
      changed |= region || !next.statements.back().same(b.statements[k]);
      if (region && k == region->last) close(*region, next);
    }
    return changed ? Stmt(loop::StmtNode{std::move(next), stmt->span}, stmt.origin(), stmt.id()) : stmt;
  }

  const Region* region_at(int block, std::size_t child) const {
    for (const Region& region : regions_)
      if (!region.direct && region.block().id() == block && region.first <= child && child <= region.last)
        return &region;
    return nullptr;
  }

  void open(const Region& region, const Stmt& first, loop::Block& into) {
    const Stmt& from = region.writes.front()->path.back();
    into.statements.push_back(declare(region.workspace, from));
    const auto* assign = target(first) ? first.as<loop::Assign>() : nullptr;
    const bool begins = region.workspace.shape.empty() && assign && !assign->op && !reads(assign->value);
    if (!begins) into.statements.push_back(start_at_fill(region.workspace, from));
    if (!begins && old_) into.statements.push_back(copied(region, *old_, true));
    active_.push_back(&region);
  }

  void close(const Region& region, loop::Block& into) {
    active_.pop_back();
    into.statements.push_back(copied(region, tensor_, false));
  }

  /// The region's slice of the workspace into that of a tensor, or back.
  Stmt copied(const Region& region, const lang::TensorInfo& tensor, bool back) {
    const Write& write = *region.writes.front();
    Copy wanted{tensor, region.workspace, {}, {}, {}, walked(), back};
    std::vector<std::string> around;
    for (std::size_t k = 0; k < region.depth; ++k) {
      if (const auto* f = write.path[k].as<loop::For>()) around.push_back(f->variable);
      if (const auto* l = write.path[k].as<loop::Let>()) wanted.around.insert(l->name);
    }
    wanted.around.insert(around.begin(), around.end());
    wanted.fixed.resize(tensor_.shape.size());
    for (std::size_t level = 0; level < fixed_; ++level)
      wanted.fixed[static_cast<std::size_t>(tensor_.format.order[level])] = lang::to_expr(region.prefix[level], around);
    wanted.wishes = index_names(loops_, tensor_);
    return copy(wanted, names_, write.path.back());
  }

  Expr rewrite(const Expr& expr, const schedule::Names& names) {
    const Expr inner = lang::map_children(expr, [&](const Expr& child) { return rewrite(child, names); });
    const auto* access = inner.as<lang::Access>();
    if (!access || access->tensor != tensor_.name) return inner;
    const auto prefix = prefix_of(*access, names);
    for (const Region* region : active_) {
      if (prefix != region->prefix) continue;
      lang::Access moved{region->workspace.name, {}, {}};
      for (std::size_t d = 0; d < access->indices.size(); ++d)
        if (!is_fixed(d)) moved.indices.push_back(access->indices[d]);
      return Expr(lang::ExprNode{std::move(moved), inner->type, inner->span}, inner.origin(), inner.id());
    }
    return inner;
  }

  const Stmt& loops_;
  const lang::TensorInfo& tensor_;
  std::size_t fixed_;
  std::string name_;
  WorkspaceKind kind_;
  FreshNames names_;
  math::Solver& solver_;
  const lang::TensorInfo* old_;
  std::vector<Write> writes_;
  std::vector<Region> regions_;
  std::vector<const Region*> active_;
};

}  // namespace

std::optional<Slices> collect_slices(const Stmt& loops, const lang::TensorInfo& tensor, std::size_t fixed,
                                     const std::string& name, WorkspaceKind kind, const lang::Program& program,
                                     math::Solver& solver, const lang::TensorInfo* old) {
  return Slicing(loops, tensor, fixed, name, kind, program, solver, old).run();
}

}  // namespace trellis::results
