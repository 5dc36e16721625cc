#include "engine/flow/tabulate_fibers.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "engine/flow/entries.hpp"
#include "engine/flow/levels.hpp"
#include "engine/flow/map_positions.hpp"
#include "engine/flow/rename.hpp"
#include "engine/text/scoped.hpp"

namespace trellis::flow {

namespace {

/// Is there nothing to do but where all cursors are?
bool only_where_all_are(const Stmt& body, std::set<std::string> cursors) {
  const auto* test = body.as<Test>();
  if (!test || test->otherwise || !cursors.erase(test->cursor)) return cursors.empty();
  return cursors.empty() || only_where_all_are(test->then, cursors);
}

/// Something asks for the cursor's position otherwise than by a test.
bool asks_where(const Stmt& body, const std::string& cursor) {
  bool found = false;
  for_each_stmt(body, [&](const Stmt& s) {
    const auto* l = s.as<Let>();
    const auto* here = l ? l->value.as<Here>() : nullptr;
    found |= here && here->cursor == cursor;
  });
  return found;
}

class Tabulating {
 public:
  explicit Tabulating(const Flow& flow) : flow_(flow), result_(flow) {}

  Flow run() {
    result_.root = visit(flow_.root);
    return result_;
  }

 private:
  struct Around {
    std::set<std::string> bound;  ///< by the loop, and inside of it so far
    std::vector<Tabulate> tables;
  };

  Stmt visit(const Stmt& s) {
    const bool is_loop = s.as<Loop>() || s.as<Coiterate>();
    const auto* l = s.as<Loop>();
    const auto* c = s.as<Coiterate>();
    const text::Scoped parallel(parallel_);
    parallel_ |= (l && l->execution == Loop::Execution::parallel) || (c && c->execution == Loop::Execution::parallel);
    if (is_loop) loops_.push_back({});
    std::vector<std::string> fresh;
    if (!loops_.empty())
      for (const std::string& bound : bound_by(s))
        if (loops_.back().bound.insert(bound).second) fresh.push_back(bound);
    Stmt inner = map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    std::vector<Tabulate> tables;
    if (is_loop) {
      tables = std::move(loops_.back().tables);
      loops_.pop_back();
    } else if (!loops_.empty()) {
      for (const std::string& bound : fresh) loops_.back().bound.erase(bound);
    }
    inner = parallel_ ? inner : changed(inner);
    for (Tabulate& table : tables) {
      table.body = inner;
      inner = Stmt(StmtNode{std::move(table), s->span}, s.origin());
    }
    return inner;
  }

  Stmt changed(const Stmt& s) {
    if (const auto* l = s.as<Locate>()) return look_up(s, *l);
    const auto* c = s.as<Coiterate>();
    return c ? intersection(s, *c) : s;
  }

  /// The outermost loop in which the position stays the same; none where the innermost moves it.
  std::optional<std::size_t> still_in(const Position& position) const {
    std::optional<std::size_t> loop;
    const std::set<std::string> all = named_by(position);
    for (std::size_t k = loops_.size(); k-- > 0; loop = k)
      if (std::ranges::any_of(all, [&](const std::string& name) { return loops_[k].bound.contains(name); })) break;
    return loop;
  }

  /// The table of a fiber around the loop.
  std::string table(std::size_t loop, const Tensor& tensor, int level, const Position& parent, const std::string& of,
                    const std::string& map) {
    for (const Tabulate& known : loops_[loop].tables)
      if (known.tensor == tensor.name && known.level == level && known.map == map && is_same(known.parent, parent))
        return known.name;
    ++count_;
    const std::string name = of + "_table" + (count_ > 1 ? std::to_string(count_) : "");
    loops_[loop].tables.push_back({name, tensor.name, level, parent, map, {}});
    return name;
  }

  // ---- fibers that are met ----

  /// A result whose entries are known, or a pattern of it in one of the two layouts.
  bool is_known(const Tensor& tensor) const {
    if (tensor.storage == Tensor::Storage::result) return !tensor.entries_of.empty();
    return tensor.pattern && tensor.storage == Tensor::Storage::operand &&
           std::ranges::any_of(flow_.tensors, [&](const Tensor& t) {
             return !t.entries_of.empty() && (t.entries_of == tensor.name || are_transposed(t, tensor));
           });
  }

  bool can_be_spread(const Cursor& cursor) const {
    const Tensor& tensor = *flow_.tensor(cursor.tensor);
    const format::Facts& facts = facts_of(tensor, cursor.level);
    return is_known(tensor) && cursor.plain() && !cursor.exists && cursor.find == Cursor::Find::chosen &&
           facts.points() && facts.unique && facts.locate == format::Locate::binary;
  }

  Stmt intersection(const Stmt& s, const Coiterate& c) {
    const bool two = c.points.size() == 1 && c.cursors.size() == 2 && c.points[0].leads.size() == 2 &&
                     !c.points[0].any && !c.points[0].regions && c.direction == Loop::Direction::up && !c.unless;
    if (!two || !only_where_all_are(c.points[0].body, {c.cursors[0].name, c.cursors[1].name})) return s;
    std::optional<std::size_t> spread, loop;
    for (std::size_t k = 0; k < 2; ++k) {
      const Cursor &one = c.cursors[k], &other = c.cursors[1 - k];
      const auto size = [&](const Cursor& cursor) {
        return flow_.tensor(cursor.tensor)->levels[static_cast<std::size_t>(cursor.level)].size;
      };
      const auto still = can_be_spread(one) ? still_in(one.parent) : std::nullopt;
      const bool fits = other.plain() && size(one) == size(other) && !asks_where(c.points[0].body, one.name);
      if (still && fits && (!loop || *still < *loop)) spread = k, loop = still;
    }
    const bool moves = spread && !still_in(c.cursors[1 - *spread].parent);
    return moves ? led_by_other(s, c, *spread, *loop) : s;
  }

  Stmt led_by_other(const Stmt& s, const Coiterate& c, std::size_t spread, std::size_t loop) {
    const Cursor &one = c.cursors[spread], other = c.cursors[1 - spread];
    Coiterate next = c;
    next.cursors = {other};
    next.points[0].leads = {0};
    next.points[0].body = asked(c.points[0].body, c, one, loop);
    return Stmt(StmtNode{std::move(next), s->span}, s.origin(), s.id());
  }

  /// Where a table already has what the entry of the pattern is looked up for in the result, that says as well whether
  /// it is there.
  std::optional<Stmt> by_result(const Stmt& s, const Cursor& one, std::vector<Stmt> around = {}) const {
    const auto* l = s.as<Locate>();
    const bool names_it = !(renamed(s, one.name, one.name + "'") == s);
    if (!l || !l->certain || names_it) return std::nullopt;
    const bool same = l->held && std::ranges::any_of(loops_, [&](const Around& loop) {
                        return std::ranges::any_of(loop.tables, [&](const Tabulate& t) {
                          return t.name == l->held->array && t.tensor == one.tensor && is_same(t.parent, one.parent);
                        });
                      });
    around.push_back(s);
    if (!same) return by_result(l->body, one, std::move(around));
    Stmt inside = l->body;
    for (std::size_t k = around.size() - 1; k-- > 0;) {
      Locate outer = *around[k].as<Locate>();
      outer.body = inside;
      inside = Stmt(StmtNode{std::move(outer), around[k]->span}, around[k].origin());
    }
    Locate first = *l;
    first.certain = false;
    return where_found(std::move(first), inside, s);
  }

  /// The tests of both: the one leads, the other is looked up.
  Stmt asked(const Stmt& body, const Coiterate& c, const Cursor& one, std::size_t loop) {
    const auto* test = body.as<Test>();
    if (!test) return body;
    const Stmt then = asked(test->then, c, one, loop);
    if (test->cursor != one.name) return then;
    if (const auto changed = by_result(then, one)) return *changed;
    Locate at;
    at.name = one.name;
    at.tensor = one.tensor;
    at.level = one.level;
    at.parent = one.parent;
    at.coordinate = name(c.variable);
    const Tensor& tensor = *flow_.tensor(one.tensor);
    at.held = Locate::Held{table(loop, tensor, one.level, one.parent, one.tensor, ""), name(c.variable)};
    return where_found(std::move(at), then, body);
  }

  static Stmt where_found(Locate at, const Stmt& then, const Stmt& from) {
    const Expr found(
        ExprNode{Binary{format::BinaryOp::greater_equal, name(at.name), integer(0)}, format::ScalarType::boolean, {}});
    at.body = Stmt(StmtNode{If{found, then, {}}, from->span}, from.origin());
    return Stmt(StmtNode{std::move(at), from->span}, from.origin());
  }

  // ---- fibers across ----

  /// The pattern with the very entries of the result that is stored across.
  const Tensor* across(const Tensor& result) const {
    const auto found = std::ranges::find_if(flow_.tensors, [&](const Tensor& t) {
      return !t.same_as.empty() && t.same_as == result.entries_of && are_transposed(t, result);
    });
    return found == flow_.tensors.end() ? nullptr : &*found;
  }

  Stmt look_up(const Stmt& s, const Locate& l) {
    const Tensor& tensor = *flow_.tensor(l.tensor);
    const auto* fiber = l.parent.as<Direct>();
    const bool plain = l.level == 1 && l.searches() && is_plain(flow_, l) && fiber && fiber->parent.as<Root>() &&
                       !fiber->check && !tensor.entries_of.empty();
    const Tensor* const pattern = plain ? across(tensor) : nullptr;
    if (!pattern) return s;
    const Position parent(PositionNode{Direct{pattern->name, 0, root(), l.coordinate, {}}});
    const auto loop = still_in(parent);
    // It is looked for in many fibers, and not for the first time in each iteration of that loop.
    const auto inner = still_in(l.parent);
    const std::set<std::string> number = named_by(fiber->coordinate);
    const bool deeper = loop && !inner && std::ranges::none_of(number, [&](const std::string& name) {
                          return loops_[*loop].bound.contains(name);
                        });
    if (!deeper) return s;
    Locate next = l;
    next.held = Locate::Held{table(*loop, *pattern, 1, parent, l.tensor, map_between(result_, *pattern, tensor)),
                             fiber->coordinate};
    return Stmt(StmtNode{std::move(next), s->span}, s.origin(), s.id());
  }

  const Flow& flow_;
  Flow result_;
  std::vector<Around> loops_;
  bool parallel_ = false;
  int count_ = 0;
};

}  // namespace

Flow tabulate_fibers(const Flow& flow) { return Tabulating(flow).run(); }

}  // namespace trellis::flow
