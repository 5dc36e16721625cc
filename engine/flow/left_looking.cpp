#include "engine/flow/left_looking.hpp"

#include <algorithm>
#include <set>

#include "engine/flow/arithmetic.hpp"
#include "engine/flow/left_looking_parts.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/flow/rename.hpp"
#include "engine/flow/where_found.hpp"

namespace trellis::flow {

namespace {

using Side = LeftLooking::Side;

bool is_entry(const Position& position, const std::string& name) {
  const auto* at = position.as<At>();
  return at && !at->several && at->name == name;
}

/// A product's factors, squares written out.
Expr written_out(const Expr& e) {
  const Expr inner = map_children(e, [](const Expr& child) { return written_out(child); });
  const auto* b = inner.as<Binary>();
  const auto* power = b && b->op == format::BinaryOp::power ? b->right.as<Constant>() : nullptr;
  if (!power || format::small_power(power->value).value_or(0) != 2) return inner;
  return Expr(ExprNode{Binary{format::BinaryOp::multiply, b->left, b->left}, e->type, e->span}, e.origin());
}

/// Positions that a condition finds to be stored; false where it asks for anything else.
bool asks_for_stored(const Expr& condition, std::set<std::string>& found) {
  const auto* b = condition.as<Binary>();
  if (b && b->op == format::BinaryOp::logical_and)
    return asks_for_stored(b->left, found) && asks_for_stored(b->right, found);
  const auto* n = b && b->op == format::BinaryOp::greater_equal && is_zero(b->right) ? b->left.as<Name>() : nullptr;
  if (!n || n->kind != Name::Kind::variable) return false;
  found.insert(n->name);
  return true;
}

class Looking {
 public:
  Looking(const Flow& flow, const Loop& loop, std::vector<Side> sides)
      : flow_(flow), loop_(loop), type_(flow.tensor(sides.front().factor)->type) {
    found_.sides = std::move(sides);
    found_.column = loop.variable;
    found_.size = loop.high;
  }

  std::string why;

  std::optional<LeftLooking> look() {
    const Expr size = flow_.tensor(found_.sides.front().factor)->levels[0].size;
    if (!is_plain(loop_, {But::parallel}) || !is_zero(loop_.low) || !(loop_.high == size)) return std::nullopt;
    found_.parallel = loop_.execution == Loop::Execution::parallel;
    for_each_stmt(loop_.body, [&](const Stmt& s) {
      if (!found_.update) take_update(s);
    });
    if (!found_.update) return std::nullopt;
    const bool fine = starts_at_zero() && adds_alike_on_diagonal() && reads_what_is_finished() && writes_its_column();
    return fine ? std::optional(found_) : std::nullopt;
  }

 private:
  bool refused(std::string reason) {
    why = std::move(reason);
    return false;
  }

  Side* side_of(const std::string& factor) {
    const auto found = std::ranges::find(found_.sides, factor, &Side::factor);
    return found == found_.sides.end() ? nullptr : &*found;
  }

  /// Loop k, whose look-ups find row j in column k of each side.
  void take_update(const Stmt& s) {
    const auto* l = s.as<Loop>();
    if (!l || !is_plain(*l, {But::down}) || !is_zero(l->low) || !is_called(l->high, loop_.variable)) return;
    LeftLooking before = found_;
    found_.before = l->variable;
    stored_.clear();
    own_term_ = {};
    own_row_.clear();
    const auto behind = found_.parallel ? behind_await(l->body, l->variable) : std::optional(l->body);
    if (!behind) return void(found_ = std::move(before));
    Stmt body = *behind;
    for (std::size_t one = 0; one < found_.sides.size(); ++one) {
      const Stmt* const only = only_statement(body);
      const auto* at = only ? only->as<Locate>() : nullptr;
      Side* const side = at ? side_of(at->tensor) : nullptr;
      const bool asked = side && side->row_entry.empty() && at->level == 1 && !at->exists && !at->check &&
                         !at->several && at->searches() && stands_at(at->parent, l->variable) &&
                         is_called(at->coordinate, loop_.variable);
      if (!asked) return void(found_ = std::move(before));
      side->row_entry = at->name;
      const Stmt* const inside = where_found(*at);
      if (inside) stored_.insert(at->name);
      body = inside ? *inside : at->body;
    }
    if (take_parts(body)) found_.update = s;
    else found_ = std::move(before);
  }

  /// What is done for column k when it is there; empty where it is not waited for.
  std::optional<Stmt> behind_await(const Stmt& body, const std::string& number) const {
    const auto* all = body.as<Seq>();
    const auto* await = all && !all->statements.empty() ? all->statements.front().as<Await>() : nullptr;
    if (!await || await->loop != loop_.variable || !is_called(await->coordinate, number)) return std::nullopt;
    const std::vector<Stmt> rest(all->statements.begin() + 1, all->statements.end());
    return rest.size() == 1 ? rest.front() : Stmt(StmtNode{Seq{rest}, body->span}, body.origin());
  }

  /// The walks of column k, and perhaps the update of what is the diagonal's.
  bool take_parts(const Stmt& body) {
    std::vector<Stmt> parts{body};
    if (const auto* all = body.as<Seq>()) parts = all->statements;
    std::erase_if(parts, [](const Stmt& s) { return s.as<Note>() != nullptr; });
    for (const Stmt& part : parts) {
      const Stmt* const one = only_statement(part);
      const auto* walk = one ? one->as<Coiterate>() : nullptr;
      const auto* own = one ? one->as<Assign>() : nullptr;
      if (!(walk && take_walk(*walk)) && !(own && take_own(*own))) return refused("it does more than add up products");
    }
    return std::ranges::all_of(found_.sides, [](const Side& side) { return !side.sum.empty(); }) ||
           refused("it adds up no products for the rows of a column");
  }

  /// Each cursor goes along column k of a side, and wherever it stands that side's sum is added to, once.
  bool take_walk(const Coiterate& walk) {
    const auto low = affine(walk.low);
    if (walk.by_regions() || walk.unless || walk.execution != Loop::Execution::serial || !(walk.high == loop_.high) ||
        !low || !(*low == math::Affine::name(loop_.variable) + math::Affine(1)))
      return false;
    for (std::size_t c = 0; c < walk.cursors.size(); ++c) {
      const Cursor& cursor = walk.cursors[c];
      Side* const side = side_of(cursor.tensor);
      if (!side || !side->sum.empty() || !cursor.plain() || cursor.level != 1 || cursor.exists ||
          !stands_at(cursor.parent, found_.before))
        return false;
      const auto alone = std::ranges::find_if(walk.points, [&](const Coiterate::Point& point) {
        return point.leads == std::vector<int>{static_cast<int>(c)} && point.follows.empty();
      });
      const auto updates = alone == walk.points.end() ? std::nullopt : updates_in(alone->body, {cursor.name});
      if (!updates || updates->size() != 1 || !take_term(*side, cursor, updates->front(), walk.variable)) return false;
    }
    return std::ranges::all_of(walk.points,
                               [&](const Coiterate::Point& point) { return adds_what_is_there(walk, point); });
  }

  bool take_term(Side& side, const Cursor& cursor, const Assign& update, const std::string& row) {
    if (update.op != format::ReduceOp::sum || !stands_at(update.position, row) || !is_sum(update.tensor, 1))
      return false;
    const auto term = where_stored(update.value);
    if (!term || names(*term, row) || names(*term, loop_.variable)) return false;
    side.sum = update.tensor;
    side.entry = cursor.name;
    side.term = *term;
    return true;
  }

  /// Whichever of its cursors stand at a row: the updates of just those.
  bool adds_what_is_there(const Coiterate& walk, const Coiterate::Point& point) {
    if (!point.follows.empty() || point.leads.empty() || point.leads.size() > 2) return false;
    const std::size_t subsets = std::size_t{1} << point.leads.size();
    for (std::size_t some = 1; some < subsets; ++some) {
      std::set<std::string> here, sums;
      for (std::size_t k = 0; k < point.leads.size(); ++k) {
        const Cursor& cursor = walk.cursors[static_cast<std::size_t>(point.leads[k])];
        if (some >> k & 1) here.insert(cursor.name), sums.insert(side_of(cursor.tensor)->sum);
      }
      const auto updates = updates_in(point.body, here);
      if (!updates || updates->size() != sums.size()) return false;
      for (const Assign& update : *updates) {
        const auto side = std::ranges::find(found_.sides, update.tensor, &Side::sum);
        const auto term = where_stored(update.value);
        if (side == found_.sides.end() || sums.erase(side->sum) == 0 || !term || !(*term == side->term) ||
            update.op != format::ReduceOp::sum || !stands_at(update.position, walk.variable))
          return false;
      }
    }
    return true;
  }

  /// What a body assigns where just these cursors are at the coordinate; empty where it does anything else.
  static std::optional<std::vector<Assign>> updates_in(const Stmt& body, const std::set<std::string>& here) {
    std::vector<Assign> all;
    const auto run = [&](const Stmt& s, const auto& self) -> bool {
      if (const auto* seq = s.as<Seq>())
        return std::ranges::all_of(seq->statements, [&](const Stmt& one) { return self(one, self); });
      if (const auto* t = s.as<Test>())
        return here.contains(t->cursor) ? self(t->then, self) : !t->otherwise || self(*t->otherwise, self);
      if (const auto* a = s.as<Assign>()) all.push_back(*a);
      return s.as<Assign>() || s.as<Note>();
    };
    return run(body, run) ? std::optional(all) : std::nullopt;
  }

  bool take_own(const Assign& own) {
    const bool row = stands_at(own.position, loop_.variable), apart = own.position.as<Root>() && is_sum(own.tensor, 0);
    const auto term = where_stored(own.value);
    if (own_term_ || own.op != format::ReduceOp::sum || !(row || apart) || !term || names(*term, loop_.variable))
      return false;
    own_term_ = *term;
    if (apart) found_.own = own.tensor;
    else own_row_ = own.tensor;
    return apart || is_sum(own.tensor, 1);
  }

  /// A term without the question whether the factors in row j are stored; empty where they may not be.
  std::optional<Expr> where_stored(const Expr& e) const {
    std::set<std::string> known = stored_;
    Expr term = e;
    if (const auto* s = e.as<Select>()) {
      const auto* zero = s->otherwise.as<Constant>();
      if (!zero || zero->value.real != 0 || !asks_for_stored(s->condition, known)) return std::nullopt;
      term = s->then;
    }
    const std::set<std::string> named = named_by(term);
    const bool sure = std::ranges::all_of(found_.sides, [&](const Side& side) {
      return !named.contains(side.row_entry) || known.contains(side.row_entry);
    });
    return sure ? std::optional(term) : std::nullopt;
  }

  bool is_sum(const std::string& name, std::size_t levels) const {
    const Tensor& t = *flow_.tensor(name);
    return t.storage == Tensor::Storage::temporary && t.levels.size() == levels && !t.sparse() && t.type == type_ &&
           format::is_floating(t.type);
  }

  bool is_any_sum(const std::string& name) const {
    return name == found_.own || std::ranges::any_of(found_.sides, [&](const Side& side) { return side.sum == name; });
  }

  /// All sums begin at 0, column by column.
  bool starts_at_zero() {
    bool zero = true;
    std::size_t declared = 0;
    for_each_stmt(loop_.body, [&](const Stmt& s) {
      const auto* a = s.as<Assign>();
      const auto* d = s.as<Declare>();
      declared += d && is_any_sum(d->tensor);
      if (!a || a->op || !is_any_sum(a->tensor)) return;
      const auto* value = a->value.as<Constant>();
      zero = zero && value && value->value.real == 0;
    });
    const bool within = declared == found_.sides.size() + (found_.own.empty() ? 0 : 1);
    return (zero && within) || refused("what it adds up does not begin at 0 for each column");
  }

  /// The sum on the diagonal is that of some side's rows, continued to the column's own.
  bool adds_alike_on_diagonal() {
    if (!own_term_) return true;
    const Expr wanted = written_out(own_term_);
    for (std::size_t one = 0; one < found_.sides.size(); ++one) {
      Side& side = found_.sides[one];
      if (!own_row_.empty() && side.sum != own_row_) continue;
      const Expr on = renamed(side.term, Renaming{{{side.entry, side.row_entry}}, {}, {}});
      if (!(written_out(on) == wanted)) continue;
      side.sums_diagonal = !own_row_.empty();
      found_.own_side = one;
      return true;
    }
    return refused("what it adds up on the diagonal is not what it adds up below");
  }

  /// What a term reads of column k does not change any more: one side's entry, and the other's in row j.
  bool reads_what_is_finished() {
    bool finished = true;
    for (std::size_t one = 0; one < found_.sides.size(); ++one) {
      const Side &side = found_.sides[one], &other = found_.sides[found_.partner(one)];
      const auto look = [&](const Expr& e, const auto& self) -> void {
        const auto* v = e.as<Value>();
        if (v && side_of(v->tensor))
          finished = finished && ((v->tensor == side.factor && is_entry(v->position, side.entry)) ||
                                  (v->tensor == other.factor && is_entry(v->position, other.row_entry)));
        else if (v)
          finished = finished && stands_at(v->position, found_.before) && is_written_at(v->tensor, loop_.variable);
        finished = finished && !e.as<Apply>() && !e.as<After>() && !e.as<Checked>();
        for_each_child(e, [&](const Expr& child) { self(child, self); });
      };
      look(side.term, look);
    }
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

  /// Iteration j writes column j of a side, at entries that its own cursors and look-ups stand at.
  bool writes_its_column() {
    return std::ranges::all_of(found_.sides, [&](const Side& side) { return writes_column_of(side); });
  }

  bool writes_column_of(const Side& side) {
    const auto of_column = [&](const std::string& tensor, const Position& parent) {
      return (tensor == side.factor || tensor == side.pattern) && stands_at(parent, loop_.variable);
    };
    std::set<std::string> own, on_diagonal;
    for_each_stmt(loop_.body, [&](const Stmt& s) {
      if (const auto* c = s.as<Coiterate>())
        for (const Cursor& cursor : c->cursors)
          if (of_column(cursor.tensor, cursor.parent)) {
            own.insert(cursor.name);
            if (is_called(c->low, loop_.variable)) on_diagonal.insert(cursor.name);
          }
      const auto* l = s.as<Locate>();
      if (!l || !of_column(l->tensor, l->parent)) return;
      own.insert(l->name);
      if (is_called(l->coordinate, loop_.variable)) on_diagonal.insert(l->name);
    });
    bool fine = true, diagonal = false;
    for_each_stmt(loop_.body, [&](const Stmt& s) {
      const auto* a = s.as<Assign>();
      const auto* r = s.as<Reset>();
      fine = fine && !(r && r->tensor == side.factor);
      if (!a || a->tensor != side.factor) return;
      const auto* at = a->position.as<At>();
      fine = fine && at && own.contains(at->name) && !a->op;
      diagonal |= at && on_diagonal.contains(at->name);
    });
    if (!fine) return refused("it writes more than a column at a time");
    return diagonal == side.diagonal || refused("its diagonal is not where the equations have it");
  }

  const Flow& flow_;
  const Loop& loop_;
  const format::ScalarType type_;
  LeftLooking found_;
  std::set<std::string> stored_;  ///< positions in row j that the update has asked for
  Expr own_term_;                 ///< what is added up on the diagonal
  std::string own_row_;           ///< for row j in that sum; empty: in one of its own
};

}  // namespace

std::optional<LeftLooking> left_looking(const Flow& flow, const Loop& loop, std::vector<Side> sides, std::string& why) {
  Looking looking(flow, loop, std::move(sides));
  auto found = looking.look();
  why = looking.why;
  if (!found) return std::nullopt;
  // Whatever else reads the sums, nobody keeps them for.
  const Stmt rest = found->finish(loop.body, found->sides.front().factor);
  const bool kept = !found->own.empty() && mentions(rest, found->own);
  const bool read = std::ranges::any_of(found->sides, [&](const Side& side) { return mentions(rest, side.sum); });
  if (!kept && !read) return found;
  why = "its sums are read elsewhere than in its own rows";
  return std::nullopt;
}

}  // namespace trellis::flow
