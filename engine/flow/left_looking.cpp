#include "engine/flow/left_looking.hpp"

#include <algorithm>

#include "engine/flow/arithmetic.hpp"
#include "engine/flow/only_statement.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/flow/rename.hpp"
#include "engine/flow/where_found.hpp"

namespace trellis::flow {

namespace {

bool is_called(const Expr& e, const std::string& name) {
  const auto* n = e.as<Name>();
  return n && n->kind == Name::Kind::variable && n->name == name;
}

bool stands_at(const Position& position, const std::string& variable) {
  const auto* d = position.as<Direct>();
  return d && !d->check && d->parent.as<Root>() && is_called(d->coordinate, variable);
}

bool is_entry(const Position& position, const std::string& name) {
  const auto* at = position.as<At>();
  return at && !at->several && at->name == name;
}

/// The update inside a walk, and nothing else.
const Assign* only_update(const Stmt& body) {
  const Stmt* inside = only_statement(body);
  const auto* test = inside ? inside->as<Test>() : nullptr;
  if (test && test->certain && !test->otherwise) inside = only_statement(test->then);
  return inside ? inside->as<Assign>() : nullptr;
}

/// A product's factors, squares written out.
Expr written_out(const Expr& e) {
  const Expr inner = map_children(e, [](const Expr& child) { return written_out(child); });
  const auto* b = inner.as<Binary>();
  const auto* power = b && b->op == format::BinaryOp::power ? b->right.as<Constant>() : nullptr;
  if (!power || format::small_power(power->value).value_or(0) != 2) return inner;
  return Expr(ExprNode{Binary{format::BinaryOp::multiply, b->left, b->left}, e->type, e->span}, e.origin());
}

class Looking {
 public:
  Looking(const Flow& flow, const Loop& loop, const Tensor& factor) : flow_(flow), loop_(loop), factor_(factor) {
    found_.column = loop.variable;
    found_.size = loop.high;
    found_.factor = factor.name;
    found_.pattern = factor.entries_of;
  }

  std::string why;

  std::optional<LeftLooking> look() {
    if (!is_plain(loop_) || loop_.execution != Loop::Execution::serial || !is_zero(loop_.low) ||
        !(loop_.high == factor_.levels[0].size))
      return std::nullopt;
    for_each_stmt(loop_.body, [&](const Stmt& s) {
      if (!found_.update) take_update(s);
    });
    if (!found_.update) return std::nullopt;
    return starts_at_zero() && reads_what_is_finished() && writes_its_column() ? std::optional(found_) : std::nullopt;
  }

 private:
  bool refused(std::string reason) {
    why = std::move(reason);
    return false;
  }

  void take_update(const Stmt& s) {
    const auto* l = s.as<Loop>();
    if (!l || !is_plain(*l, {But::down}) || !is_zero(l->low) || !is_called(l->high, loop_.variable)) return;
    const Stmt* const look_up = only_statement(l->body);
    const auto* at = look_up ? look_up->as<Locate>() : nullptr;
    const bool asked = at && at->tensor == factor_.name && at->level == 1 && !at->exists && !at->check &&
                       !at->several && at->searches() && stands_at(at->parent, l->variable) &&
                       is_called(at->coordinate, loop_.variable);
    const Stmt* const body = asked ? where_found(*at) : nullptr;
    if (!body) return;
    found_.before = l->variable;
    found_.row_entry = at->name;
    if (!take_parts(*body)) return;
    const Expr on_diagonal = renamed(found_.term, Renaming{{{found_.entry, found_.row_entry}}, {}, {}});
    found_.own_is_term = !found_.own.empty() && written_out(on_diagonal) == written_out(found_.own_term);
    found_.update = s;
  }

  /// The walk of column k, and perhaps the update of what is the diagonal's.
  bool take_parts(const Stmt& body) {
    std::vector<Stmt> parts{body};
    if (const auto* all = body.as<Seq>()) parts = all->statements;
    std::erase_if(parts, [](const Stmt& s) { return s.as<Note>() != nullptr; });
    bool walked = false;
    for (const Stmt& part : parts) {
      const Stmt* const one = only_statement(part);
      const auto* walk = one ? one->as<Coiterate>() : nullptr;
      const auto* own = one ? one->as<Assign>() : nullptr;
      if (walk && !walked && take_walk(*walk)) walked = true;
      else if (!own || !found_.own.empty() || !take_own(*own)) return refused("it does more than add up products");
    }
    return walked;
  }

  bool take_walk(const Coiterate& walk) {
    const Cursor* const cursor = walk.only();
    const auto low = affine(walk.low);
    const bool rows = cursor && cursor->plain() && cursor->tensor == factor_.name && cursor->level == 1 &&
                      !cursor->exists && stands_at(cursor->parent, found_.before) && !walk.unless && low &&
                      *low == math::Affine::name(loop_.variable) + math::Affine(1) && walk.high == loop_.high &&
                      walk.execution == Loop::Execution::serial;
    const Assign* const update = rows ? only_update(walk.points[0].body) : nullptr;
    if (!update || update->op != format::ReduceOp::sum || !stands_at(update->position, walk.variable)) return false;
    found_.sum = update->tensor;
    found_.entry = cursor->name;
    found_.term = update->value;
    return is_sum(found_.sum, 1) && !names(found_.term, walk.variable) && !names(found_.term, loop_.variable);
  }

  bool take_own(const Assign& own) {
    if (own.op != format::ReduceOp::sum || !own.position.as<Root>() || !is_sum(own.tensor, 0) ||
        names(own.value, loop_.variable))
      return false;
    found_.own = own.tensor;
    found_.own_term = own.value;
    return true;
  }

  bool is_sum(const std::string& name, std::size_t levels) const {
    const Tensor& t = *flow_.tensor(name);
    return t.storage == Tensor::Storage::temporary && t.levels.size() == levels && !t.sparse() &&
           t.type == factor_.type && format::is_floating(t.type);
  }

  /// Both sums begin at 0, column by column.
  bool starts_at_zero() {
    bool zero = true;
    int declared = 0;
    for_each_stmt(loop_.body, [&](const Stmt& s) {
      const auto* a = s.as<Assign>();
      const auto* d = s.as<Declare>();
      declared += d && (d->tensor == found_.sum || d->tensor == found_.own);
      if (!a || a->op || (a->tensor != found_.sum && a->tensor != found_.own)) return;
      const auto* value = a->value.as<Constant>();
      zero = zero && value && value->value.real == 0;
    });
    const bool within = declared == (found_.own.empty() ? 1 : 2);
    return (zero && within) || refused("what it adds up does not begin at 0 for each column");
  }

  /// What a term reads of column k does not change any more.
  bool reads_what_is_finished() {
    bool finished = true;
    const auto look = [&](const Expr& e, const auto& self) -> void {
      const auto* v = e.as<Value>();
      if (v && v->tensor == factor_.name)
        finished = finished && (is_entry(v->position, found_.row_entry) || is_entry(v->position, found_.entry));
      else if (v)
        finished = finished && stands_at(v->position, found_.before) && is_written_at(v->tensor, loop_.variable);
      finished = finished && !e.as<Apply>() && !e.as<After>() && !e.as<Checked>();
      for_each_child(e, [&](const Expr& child) { self(child, self); });
    };
    look(found_.term, look);
    if (found_.own_term) look(found_.own_term, look);
    return finished || refused("its terms read more than what is finished of a column");
  }

  bool is_written_at(const std::string& tensor, const std::string& variable) const {
    bool fine = true;
    for_each_stmt(loop_.body, [&](const Stmt& s) {
      const auto* a = s.as<Assign>();
      const auto* r = s.as<Reset>();
      if (a && a->tensor == tensor) fine = fine && stands_at(a->position, variable) && !a->op;
      fine = fine && !(r && r->tensor == tensor);
    });
    return fine;
  }

  bool of_column(const std::string& tensor, const Position& parent) const {
    return (tensor == factor_.name || tensor == factor_.entries_of) && stands_at(parent, loop_.variable);
  }

  /// Iteration j writes column j of the factor, at entries that its own cursors and look-ups stand at.
  bool writes_its_column() {
    std::set<std::string> own, on_diagonal;
    for_each_stmt(loop_.body, [&](const Stmt& s) {
      if (const auto* c = s.as<Coiterate>())
        for (const Cursor& cursor : c->cursors)
          if (of_column(cursor.tensor, cursor.parent)) own.insert(cursor.name);
      const auto* l = s.as<Locate>();
      if (!l || !of_column(l->tensor, l->parent)) return;
      own.insert(l->name);
      if (is_called(l->coordinate, loop_.variable)) on_diagonal.insert(l->name);
    });
    bool fine = true;
    for_each_stmt(loop_.body, [&](const Stmt& s) {
      const auto* a = s.as<Assign>();
      const auto* r = s.as<Reset>();
      fine = fine && !(r && r->tensor == factor_.name);
      if (!a || a->tensor != factor_.name) return;
      const auto* at = a->position.as<At>();
      fine = fine && at && own.contains(at->name) && !a->op;
      found_.diagonal |= at && on_diagonal.contains(at->name);
    });
    return fine || refused("it writes more than a column at a time");
  }

  const Flow& flow_;
  const Loop& loop_;
  const Tensor& factor_;
  LeftLooking found_;
};

/// What is left of an iteration when its sums are there.
class Finishing {
 public:
  Finishing(const LeftLooking& of, const std::string& sums) : of_(of), sums_(sums) {}

  Stmt stmt(const Stmt& s) {
    if (s.same(of_.update) || is_start(s)) return Stmt(StmtNode{Seq{}, s->span}, s.origin());
    const auto* c = s.as<Coiterate>();
    const std::string around = row_, entry = entry_;
    if (c) row_ = c->variable, entry_ = lead_of(*c);
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return stmt(child); }, [&](const Expr& e) { return expr(e); });
    row_ = around;
    entry_ = entry;
    return inner;
  }

 private:
  bool is_own(const std::string& tensor) const { return tensor == of_.sum || tensor == of_.own; }

  /// Declarations, and what sets a sum to 0.
  bool is_start(const Stmt& s) const {
    if (const auto* d = s.as<Declare>()) return is_own(d->tensor);
    if (const auto* a = s.as<Assign>()) return is_own(a->tensor);
    const auto* c = s.as<Coiterate>();
    const Assign* const a = c && c->points.size() == 1 ? only_update(c->points[0].body) : nullptr;
    return a && is_own(a->tensor);
  }

  std::string lead_of(const Coiterate& c) const {
    if (c.points.size() != 1 || c.points[0].leads.size() != 1 || c.points[0].regions) return "";
    const Cursor& cursor = c.cursors[static_cast<std::size_t>(c.points[0].leads[0])];
    const bool own = (cursor.tensor == of_.factor || cursor.tensor == of_.pattern) && cursor.plain();
    return own && stands_at(cursor.parent, of_.column) ? cursor.name : "";
  }

  Expr expr(const Expr& e) {
    const Expr inner = map_children(e, [&](const Expr& child) { return expr(child); });
    const auto* v = inner.as<Value>();
    const auto at = [&](Value value) { return Expr(ExprNode{std::move(value), e->type, e->span}, e.origin()); };
    if (v && v->tensor == of_.own && !of_.own.empty()) return at({sums_, making::element(sums_, {name(of_.column)})});
    if (v && v->tensor == of_.sum && !entry_.empty() && stands_at(v->position, row_))
      return at({of_.factor, making::entry(entry_)});
    return inner;
  }

  const LeftLooking& of_;
  const std::string& sums_;
  std::string row_, entry_;  ///< of the walk of the column around
};

}  // namespace

Stmt LeftLooking::finish(const Stmt& body, const std::string& sums) const { return Finishing(*this, sums).stmt(body); }

std::optional<LeftLooking> left_looking(const Flow& flow, const Loop& loop, const Tensor& factor, std::string& why) {
  Looking looking(flow, loop, factor);
  auto found = looking.look();
  why = looking.why;
  if (!found) return std::nullopt;
  // Whatever else reads the sums, nobody keeps them for.
  const Stmt rest = found->finish(loop.body, factor.name);
  if (!mentions(rest, found->sum) && (found->own.empty() || !mentions(rest, found->own))) return found;
  why = "its sums are read elsewhere than in its own rows";
  return std::nullopt;
}

}  // namespace trellis::flow
