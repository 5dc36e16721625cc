#include "engine/loop/guard_reductions.hpp"

#include <algorithm>

#include "engine/format/level.hpp"
#include "engine/loop/asked_conditions.hpp"
#include "engine/loop/context.hpp"
#include "engine/loop/effects.hpp"
#include "engine/loop/separate.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::loop {

namespace {

using Tensors = std::set<std::string>;
using Statements = std::vector<Stmt>;

/// Temporaries of one block that are written together, and what all their reads ask before.
struct Guarded {
  Tensors names;
  std::vector<Expr> conditions;  ///< in terms of the element
  bool scalar = true;

  Tensors read_by_conditions() const {
    Tensors all;
    for (const Expr& c : conditions) all.merge(tensors_in(c));
    return all;
  }
};

/// Calls `visit(statement, conditions around it)` for each write, a let around writes being one.
template <class Visit>
void for_each_write(const Stmt& stmt, const std::vector<Expr>& around, const Visit& visit) {
  if (is_write(stmt)) return visit(stmt, around);
  std::vector<Expr> inside = around;
  if (const auto* i = stmt.as<If>(); i && !i->otherwise)
    for (const Expr& c : truths(i->condition)) inside.push_back(c);
  for_each_child(
      stmt, [&](const Stmt& child) { for_each_write(child, inside, visit); }, [](const Expr&) {});
}

/// The indices of the element that a write is about.
const std::vector<Expr>* element_of(const Stmt& write, const Tensors& names) {
  const std::vector<Expr>* found = nullptr;
  for_each(write, [&](const Stmt& s) {
    const auto* a = s.as<Assign>();
    const auto* target = a ? a->target.as<lang::Access>() : nullptr;
    if (target && names.contains(target->tensor)) found = &target->indices;
  });
  return found;
}

bool writes_any(const Stmt& stmt, const Tensors& names) { return meet(effects(stmt).writes, names); }
bool has_loop(const Stmt& stmt) {
  bool found = false;
  for_each(stmt, [&](const Stmt& s) { found = found || s.as<For>() || s.as<While>(); });
  return found;
}
/// A start value costs what asking for it would.
bool is_start(const Stmt& stmt) {
  const auto* a = stmt.as<Assign>();
  return a && !a->op && a->value.as<lang::Constant>();
}
/// Everything that it reads it has read before it writes.
bool reads_first(const Stmt& stmt) {
  if (stmt.as<Assign>()) return true;
  const auto* i = stmt.as<If>();
  const auto& body = i && !i->otherwise ? i->then.as<Block>()->statements : Statements{};
  return body.size() == 1 && reads_first(body.front());
}

class BlockGuarding {
 public:
  BlockGuarding(const lang::Program& program, const Statements& children) : program_(program), children_(children) {}

  /// What can be guarded, except for `done`; in the order in which it is declared.
  std::vector<Guarded> candidates(const Tensors& done) const {
    std::vector<Guarded> all;
    Tensors seen = done;
    for (const Stmt& child : children_) {
      const auto* d = child.as<Declare>();
      if (!d || seen.contains(d->tensor.name)) continue;
      auto one = candidate(d->tensor);
      if (!one) continue;
      seen.insert(one->names.begin(), one->names.end());
      const auto same = std::ranges::find_if(
          all, [&](const Guarded& g) { return g.scalar == one->scalar && g.conditions == one->conditions; });
      if (same == all.end()) all.push_back(std::move(*one));
      else same->names.insert(one->names.begin(), one->names.end());
    }
    return all;
  }

  /// `conditional`: temporaries that are guarded as well, so that they would rather not share a loop.
  std::optional<Statements> guard(const Guarded& g, const Tensors& conditional) {
    std::size_t first_write = children_.size(), first_read = children_.size(), last_read = 0;
    bool loses = false, mixed = false, apart = true;
    for (std::size_t k = 0; k < children_.size(); ++k) {
      if (reads(children_[k], g)) {
        first_read = std::min(first_read, k);
        last_read = k;
      }
      if (!writes_any(children_[k], g.names)) continue;
      first_write = std::min(first_write, k);
      apart = apart && first_read == children_.size();
      const auto both = separate(children_[k], g.names);
      mixed = mixed || !both || both->rest;
      loses = loses || !both || loses_by(*both, g, conditional);
    }
    const bool in_place = stable(g, first_write, last_read);
    const bool moves = apart && !loses && (mixed || !in_place) && stable(g, first_read, last_read);
    if (const auto later = moves ? sunk(g, first_read) : std::nullopt) return guarded(*later, g);
    return in_place ? guarded(children_, g) : std::nullopt;
  }

 private:
  std::optional<Guarded> candidate(const lang::TensorInfo& tensor) const {
    const auto names = written_with(tensor.name);
    if (!names || !starts(*names)) return std::nullopt;
    Guarded g{*names, {}, tensor.shape.empty()};
    bool any = false;
    for (const Stmt& child : children_)
      for_each_conditional_read(child, g.names, [&](const ConditionalRead& read) {
        const std::vector<Expr> asked = asked_conditions(read, program_);
        if (!any) g.conditions = asked;
        const auto differ = std::ranges::mismatch(g.conditions, asked);
        g.conditions.erase(differ.in1, g.conditions.end());
        any = true;
      });
    const bool asks = std::ranges::any_of(g.conditions, [](const Expr& c) { return !lang::affine_condition(c); });
    return asks && !is_guarded(g) ? std::optional(std::move(g)) : std::nullopt;
  }

  /// With what some statement writes beside it; empty if that is not a temporary of this block.
  std::optional<Tensors> written_with(const std::string& name) const {
    Tensors all{name}, declared;
    for (const Stmt& child : children_)
      if (const auto* d = child.as<Declare>()) declared.insert(d->tensor.name);
    for (std::size_t before = 0; before != all.size();) {
      before = all.size();
      for (const Stmt& child : children_)
        for_each_write(child, {}, [&](const Stmt& write, const auto&) {
          Tensors own = effects(write).writes;
          if (meet(own, all)) all.merge(own);
        });
    }
    return std::includes(declared.begin(), declared.end(), all.begin(), all.end()) ? std::optional(all) : std::nullopt;
  }

  /// A reduction starts somewhere; copies do not.
  bool starts(const Tensors& names) const {
    bool found = false;
    for (const Stmt& child : children_)
      for_each_write(child, {}, [&](const Stmt& write, const auto&) {
        found = found || (is_start(write) && writes_any(write, names));
      });
    return found;
  }

  bool is_guarded(const Guarded& g) const {
    bool all = true;
    for (const Stmt& child : children_)
      for_each_write(child, {}, [&](const Stmt& write, const std::vector<Expr>& around) {
        const auto* element = writes_any(write, g.names) ? element_of(write, g.names) : nullptr;
        if (!element) return;
        for (const Expr& c : at_element(g.conditions, *element)) all = all && contains(around, c);
      });
    return all;
  }

  static bool reads(const Stmt& stmt, const Guarded& g) {
    bool found = false;
    for_each_conditional_read(stmt, g.names, [&](const ConditionalRead&) { found = true; });
    return found;
  }

  static bool loses_by(const Separated& both, const Guarded& g, const Tensors& conditional) {
    if (!both.rest || !both.part) return false;
    const Effects rest = effects(both.rest);
    if (!meet(rest.reads, effects(both.part).reads)) return false;
    const bool is_needed = g.scalar && meet(rest.writes, g.read_by_conditions());
    return !is_needed && !std::includes(conditional.begin(), conditional.end(), rest.writes.begin(), rest.writes.end());
  }

  /// Do the conditions say the same from one child up to what another reads?
  bool stable(const Guarded& g, std::size_t from, std::size_t last_read) const {
    const Tensors asked = g.read_by_conditions();
    for (std::size_t k = from; k <= last_read; ++k) {
      if (k == last_read && reads_first(children_[k])) break;
      Tensors written = effects(children_[k]).writes;
      for (const std::string& name : g.names) written.erase(name);
      if (meet(written, asked)) return false;
    }
    return true;
  }

  /// The children with all that computes the temporaries right before what reads them; empty where something between is
  /// in the way.
  std::optional<Statements> sunk(const Guarded& g, std::size_t first_read) const {
    Statements all, parts;
    Tensors read;
    for (std::size_t k = 0; k < children_.size(); ++k) {
      if (k == first_read) all.insert(all.end(), parts.begin(), parts.end());
      if (k >= first_read || children_[k].as<Declare>()) {
        all.push_back(children_[k]);
        continue;
      }
      const auto both = separate(children_[k], g.names);
      if (!both || (both->rest && meet(effects(both->rest).writes, read))) return std::nullopt;
      if (both->rest) all.push_back(both->rest);
      if (!both->part) continue;
      parts.push_back(both->part);
      read.merge(effects(both->part).reads);
    }
    return all;
  }

  std::optional<Statements> guarded(const Statements& children, const Guarded& g) {
    costly_ = false;
    Statements all;
    for (const Stmt& child : children) all.push_back(guarded(child, g));
    return costly_ ? std::nullopt : std::optional(all);
  }

  /// As far outside as the conditions are known and nothing else is done.
  Stmt guarded(const Stmt& stmt, const Guarded& g) {
    const Tensors writes = effects(stmt).writes;
    if (!meet(writes, g.names)) return stmt;
    const Tensors own = serving(stmt, g.names);
    const bool alone = std::includes(own.begin(), own.end(), writes.begin(), writes.end());
    if (const auto conditions = alone ? common(stmt, g) : std::nullopt) {
      const bool searched = !std::ranges::all_of(*conditions, [&](const Expr& c) { return is_at_hand(c); });
      costly_ = costly_ || (searched && !g.scalar && !has_loop(stmt) && !is_start(stmt));
      const Stmt body = stmt.as<Block>() ? stmt : block({stmt}, stmt.origin());
      const Stmt choice(StmtNode{If{conjunction(*conditions), body, std::nullopt}, stmt->span}, stmt.origin());
      return stmt.as<Block>() ? block({choice}, stmt.origin()) : choice;
    }
    if (is_write(stmt)) return stmt;
    return map_children(
        stmt, [&](const Stmt& child) { return guarded(child, g); }, [](const Expr& expr) { return expr; });
  }

  /// The conditions of every element that the statement writes, if these are the same and nothing inside binds what
  /// they name.
  std::optional<std::vector<Expr>> common(const Stmt& stmt, const Guarded& g) const {
    std::optional<std::vector<Expr>> found;
    bool same = true;
    for_each_write(stmt, {}, [&](const Stmt& write, const auto&) {
      if (!writes_any(write, g.names)) return;
      const auto* element = element_of(write, g.names);
      if (!element) return void(same = false);
      const std::vector<Expr> here = at_element(g.conditions, *element);
      same = same && (!found || *found == here);
      found = here;
    });
    if (!found || !same) return std::nullopt;
    Tensors bound;
    for_each(stmt, [&](const Stmt& s) {
      if (const auto* f = s.as<For>()) bound.insert(f->variable);
      if (const auto* l = s.as<Let>()) bound.insert(l->name);
    });
    for (const Expr& c : *found)
      for (const std::string& v : lang::free_variables(c)) same = same && !bound.contains(v);
    return same ? found : std::nullopt;
  }

  /// Is every value that it reads found without a search?
  bool is_at_hand(const Expr& condition) const {
    return std::ranges::all_of(tensors_in(condition), [&](const std::string& name) {
      const lang::TensorInfo* info = program_.tensor(name);
      return !info || std::ranges::all_of(info->format.levels, [](const format::Level& level) {
        const format::Facts facts = format::facts(level);
        return facts.full() || facts.locate == format::Locate::direct;
      });
    });
  }

  const lang::Program& program_;
  const Statements& children_;
  bool costly_ = false;  ///< some guard costs more than what it saves
};

/// So that guards next to each other are: declarations go up to the first of them.
Statements with_declarations_first(const Statements& children) {
  Statements all = children;
  const auto is_declaration = [](const Stmt& s) { return s.as<Declare>() != nullptr; };
  std::stable_partition(std::ranges::find_if(all, is_declaration), all.end(), is_declaration);
  return all;
}

Stmt guard_block(const Stmt& stmt, const lang::Program& program) {
  Stmt current = stmt;
  Tensors done, conditional;
  for (;;) {
    const Statements& children = current.as<Block>()->statements;
    BlockGuarding guarding(program, children);
    const std::vector<Guarded> found = guarding.candidates(done);
    if (found.empty()) return current;
    for (const Guarded& g : found) conditional.insert(g.names.begin(), g.names.end());
    // What is computed first may be read under the guard of what is computed last.
    const Guarded& last = found.back();
    done.insert(last.names.begin(), last.names.end());
    if (auto next = guarding.guard(last, conditional))
      current = Stmt(StmtNode{Block{with_declarations_first(*next)}, current->span}, current.origin(), current.id());
  }
}

}  // namespace

Stmt guard_reductions(const Stmt& stmt, const lang::Program& program) {
  const Stmt inner = map_children(
      stmt, [&](const Stmt& child) { return guard_reductions(child, program); }, [](const Expr& expr) { return expr; });
  return inner.as<Block>() ? guard_block(inner, program) : inner;
}

}  // namespace trellis::loop
