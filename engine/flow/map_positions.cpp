#include "engine/flow/map_positions.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/flow/entries.hpp"
#include "engine/flow/rename.hpp"
#include "engine/text/scoped.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::flow {

namespace {

/// A variable that holds an entry of a pattern, or -1 unless it is `known_present`.
struct Entry {
  std::string name;
  const Tensor* pattern;
  Expr fiber, coordinate;
  bool known_present;
};

const Expr* number_of_fiber(const Position& parent) {
  const auto* fiber = parent.as<Direct>();
  return fiber && fiber->parent.as<Root>() && !fiber->check ? &fiber->coordinate : nullptr;
}

/// The variable of which the statement's first branch knows that it holds an entry.
std::string entry_tested(const Stmt& s) {
  if (const auto* t = s.as<Test>()) return t->cursor;
  const auto* i = s.as<If>();
  const auto* test = i ? i->condition.as<Binary>() : nullptr;
  const auto* variable = test && test->op == format::BinaryOp::greater_equal ? test->left.as<Name>() : nullptr;
  return variable && is_zero(test->right) ? variable->name : "";
}

class Mapping {
 public:
  explicit Mapping(const Flow& flow) : flow_(flow) {}

  Flow run() {
    // The first time, pairs are found that are worth a map; the second time it serves others, too.
    visit(flow_.root);
    Flow result = flow_;
    for (const auto& [from, to] : wanted_) map_between(result, *flow_.tensor(from), *flow_.tensor(to));
    maps_ = result.maps;
    result.root = visit(flow_.root);
    return result;
  }

 private:
  Stmt visit(const Stmt& s) {
    const text::Scoped entries(entries_);
    const text::Scoped loops(loops_);
    const text::Scoped parallel(parallel_);
    enter(s);
    const std::string known_present = entry_tested(s);
    bool first = true;
    const Stmt inner = map_children(
        s,
        [&](const Stmt& child) {
          const text::Scoped outside(entries_);
          if (std::exchange(first, false))
            for (Entry& e : entries_) e.known_present |= e.name == known_present;
          return visit(child);
        },
        [](const Expr& e) { return e; });
    const auto* l = inner.as<Locate>();
    return l ? located(inner, *l) : inner;
  }

  void enter(const Stmt& s) {
    for (const std::string& bound : bound_by(s))
      std::erase_if(entries_, [&](const Entry& e) {
        return e.name == bound || names(e.fiber, bound) || names(e.coordinate, bound);
      });
    if (const auto* l = s.as<Loop>()) enter(l->variable, l->execution);
    if (const auto* l = s.as<Locate>())
      if (is_plain(flow_, *l)) add(l->name, l->tensor, l->level, l->parent, l->coordinate, l->certain);
    const auto* c = s.as<Coiterate>();
    if (!c) return;
    enter(c->variable, c->execution);
    for (const Cursor& cursor : c->cursors)
      if (cursor.plain() && !cursor.exists && !c->by_regions())
        add(cursor.name, cursor.tensor, cursor.level, cursor.parent, name(c->variable), c->only() != nullptr);
  }

  void enter(const std::string& variable, Loop::Execution execution) {
    parallel_ |= execution == Loop::Execution::parallel;
    loops_.push_back(variable);
  }

  void add(const std::string& name, const std::string& tensor, int level, const Position& parent,
           const Expr& coordinate, bool known_present) {
    const Tensor* const pattern = flow_.tensor(tensor);
    const Expr* const fiber = number_of_fiber(parent);
    if (level == 1 && fiber && pattern->pattern && pattern->storage == Tensor::Storage::operand)
      entries_.push_back({name, pattern, *fiber, coordinate, known_present});
  }

  /// By the entry of a pattern that is at the same element.
  Stmt located(const Stmt& s, const Locate& l) {
    const Tensor& tensor = *flow_.tensor(l.tensor);
    const Expr* const fiber = number_of_fiber(l.parent);
    if (l.level != 1 || !fiber || tensor.entries_of.empty() || !l.searches() || !is_plain(flow_, l) || parallel_)
      return s;
    const auto same = std::ranges::find_if(entries_, [&](const Entry& e) {
      return e.known_present && e.fiber == l.coordinate && e.coordinate == *fiber && are_transposed(*e.pattern, tensor);
    });
    if (same == entries_.end()) return s;
    const bool again =
        std::ranges::any_of(loops_, [&](const std::string& v) { return !names(l.coordinate, v) && !names(*fiber, v); });
    if (again) add_once(wanted_, std::pair(same->pattern->name, tensor.name));
    const auto map = std::ranges::find_if(
        maps_, [&](const PositionMap& m) { return m.from == same->pattern->name && m.to == tensor.name; });
    if (map == maps_.end()) return s;
    Locate next = l;
    next.held = Locate::Held{map->name, name(same->name)};
    return Stmt(StmtNode{std::move(next), s->span}, s.origin(), s.id());
  }

  const Flow& flow_;
  std::vector<Entry> entries_;  ///< innermost last
  std::vector<std::string> loops_;
  bool parallel_ = false;
  std::vector<std::pair<std::string, std::string>> wanted_;
  std::vector<PositionMap> maps_;
};

}  // namespace

std::string map_between(Flow& flow, const Tensor& from, const Tensor& to) {
  const auto known = std::ranges::find_if(
      flow.maps, [&](const PositionMap& map) { return map.from == from.name && map.to == to.name; });
  if (known != flow.maps.end()) return known->name;
  std::string name = from.name + "_in_" + to.name;
  while (std::ranges::count(flow.maps, name, &PositionMap::name) > 0) name += "_";
  flow.maps.push_back({name, from.name, to.name});
  return flow.maps.back().name;
}

Flow map_positions(const Flow& flow) { return Mapping(flow).run(); }

}  // namespace trellis::flow
