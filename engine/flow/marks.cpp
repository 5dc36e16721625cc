#include "engine/flow/marks.hpp"

#include <algorithm>
#include <set>

#include "engine/flow/levels.hpp"
#include "engine/flow/rename.hpp"
#include "engine/flow/updates.hpp"

namespace trellis::flow {

namespace {

bool names_entry(const Position& position, const std::string& cursor) {
  const auto* at = position.as<At>();
  const auto* direct = position.as<Direct>();
  return (at && at->name == cursor) || (direct && names_entry(direct->parent, cursor)) || position.as<Within>();
}

/// In a dense level at the coordinate, and all else stays.
bool is_at(const Position& position, const std::string& variable, const std::string& cursor) {
  int found = 0;
  bool plain = true;
  Position at = position;
  for (; plain && at.as<Direct>(); at = at.as<Direct>()->parent) {
    const Direct& level = *at.as<Direct>();
    const auto* name = level.coordinate.as<Name>();
    found += name && name->name == variable;
    plain = !level.check && ((name && name->name == variable) || !names(level.coordinate, variable));
  }
  return plain && found == 1 && !at.as<Within>() && !names_entry(at, cursor);
}

/// Does it read nothing that is written, and never fail?
bool is_harmless(const Expr& e, const std::set<std::string>& written) {
  const auto* value = e.as<Value>();
  const auto* binary = e.as<Binary>();
  const bool divides = binary && !format::is_floating(e->type) &&
                       (binary->op == format::BinaryOp::divide || binary->op == format::BinaryOp::modulo ||
                        binary->op == format::BinaryOp::power);
  bool fine = !(value && written.contains(value->tensor)) && !divides && !e.as<Apply>() && !e.as<Checked>() &&
              !e.as<After>() && !e.as<Here>();
  if (value)
    for (Position at = value->position; at.as<Direct>(); at = at.as<Direct>()->parent)
      fine = fine && !at.as<Direct>()->check;
  for_each_child(e, [&](const Expr& child) { fine = fine && is_harmless(child, written); });
  return fine;
}

/// What is done at each entry of the only cursor.
void collect_statements(const Stmt& s, std::vector<Stmt>& into) {
  const auto* all = s.as<Seq>();
  if (const auto* test = s.as<Test>()) return collect_statements(test->then, into);
  if (!all && !s.as<Note>()) into.push_back(s);
  if (all)
    for (const Stmt& one : all->statements) collect_statements(one, into);
}

/// One entry for each coordinate, in order, all of which are within the loop.
bool is_plain_walk(const Flow& flow, const Coiterate& c) {
  const Cursor* const cursor = c.only();
  if (!cursor || c.execution != Loop::Execution::serial || c.direction != Loop::Direction::up || c.unless) return false;
  const Tensor& tensor = *flow.tensor(cursor->tensor);
  const format::Facts& facts = facts_of(tensor, cursor->level);
  return cursor->plain() && !cursor->exists && tensor.storage != Tensor::Storage::temporary && !c.carried &&
         c.carries.empty() && c.streamed.empty() && c.unroll == 1 && !c.ahead && facts.sorted_list() &&
         facts.positions && facts.child == format::Child::entry;
}

}  // namespace

std::vector<Assign> updates_apart(const Flow& flow, const Coiterate& c) {
  if (!is_plain_walk(flow, c)) return {};
  std::vector<Stmt> statements;
  collect_statements(c.points[0].body, statements);
  std::vector<Assign> updates;
  std::set<std::string> written;
  for (const Stmt& s : statements) {
    const auto* a = s.as<Assign>();
    const bool fits = a && a->op && !a->atomic && is_at(a->position, c.variable, c.cursors[0].name) &&
                      a->tensor != c.cursors[0].tensor && written.insert(a->tensor).second;
    if (!fits) return {};
    updates.push_back(*a);
  }
  const auto fine = [&](const Assign& a) {
    return is_harmless(a.value, written) && std::ranges::none_of(written, [&](const std::string& tensor) {
             bool read = false;
             for_each_child(a.position, [&](const Expr& e) { read |= mentions(e, tensor); });
             return read;
           });
  };
  return std::ranges::all_of(updates, fine) ? updates : std::vector<Assign>{};
}

bool has_simple_iterations(const Loop& loop) {
  bool simple = loop.unroll == 1 && loop.takes_each();
  for_each_stmt(loop.body, [&](const Stmt& s) {
    simple &= !s.as<Loop>() && !s.as<Coiterate>() && !s.as<Locate>() && !s.as<Insert>();
  });
  return simple;
}

bool only_finds_out(const Flow& flow, const Coiterate& c) {
  const Cursor* const cursor = c.only();
  if (!cursor || !cursor->plain() || cursor->exists || !c.unless || c.unroll > 1 || c.carried || c.in_pairs ||
      c.execution != Loop::Execution::serial || c.direction != Loop::Direction::up ||
      flow.tensor(cursor->tensor)->storage == Tensor::Storage::temporary)
    return false;
  const Tensor& walked = *flow.tensor(cursor->tensor);
  if (facts_of(walked, cursor->level).decreasing) return false;  // which is walked from its end
  std::vector<Stmt> statements;
  collect_statements(c.points[0].body, statements);
  const auto* assign = statements.size() == 1 ? statements.front().as<Assign>() : nullptr;
  const std::optional<Update> update = assign ? update_of(*assign) : std::nullopt;
  if (!update || !assign->position.as<Root>() || !is_harmless(update->other, {assign->tensor})) return false;
  const auto* negation = c.unless->as<Unary>();
  const bool is_not = negation && negation->op == format::UnaryOp::logical_not;
  const auto* over = (is_not ? negation->operand : *c.unless).as<Value>();
  return over && over->tensor == assign->tensor &&
         update->op == (is_not ? format::ReduceOp::all : format::ReduceOp::any);
}

bool counts_bytemap(const Flow& flow, const Coiterate& loop) {
  if (loop.cursors.size() != 1) return false;
  const Cursor& cursor = loop.cursors[0];
  const Tensor& tensor = *flow.tensor(cursor.tensor);
  const format::Facts& facts = tensor.levels[static_cast<std::size_t>(cursor.level)].facts;
  const bool bytemap = tensor.storage == Tensor::Storage::temporary && facts.locate == format::Locate::direct;
  const auto* append = loop.points[0].body.as<Append>();
  return bytemap && !cursor.below && !cursor.above && append && append->counted;
}

namespace {

/// What happens to one tensor.
class Uses {
 public:
  Uses(const Flow& flow, const Tensor& tensor) : tensor_(tensor) {
    for_each_stmt(flow.root, [&](const Stmt& s) {
      if (const auto* c = s.as<Coiterate>())
        for (const Cursor& cursor : c->cursors)
          if (cursor.tensor == tensor.name) cursors_.insert(cursor.name);
    });
    visit(flow.root, "");
  }

  /// A value that is not added up with what is there takes its place, so that each entry has to have one.
  bool fine() const { return fine_ && (op_ ? starts_at_identity(*op_) : certain_ || !any_); }
  std::optional<format::ReduceOp> op() const { return op_; }

 private:
  /// `inserted`: the entry that statements are about.
  void visit(const Stmt& s, const std::string& inserted) {
    if (const auto* i = s.as<Insert>(); i && i->tensor == tensor_.name) {
      fine_ = fine_ && inserted.empty() && i->level + 1 == std::ssize(tensor_.levels) && !reads(i->coordinate) &&
              !reads(i->parent);
      certain_ = certain_ && assigns(i->body);
      return visit(i->body, i->name);
    }
    if (const auto* a = s.as<Assign>(); a && a->tensor == tensor_.name) return update(*a, inserted);
    if (const auto* c = s.as<Coiterate>()) coiterate(*c, inserted);
    if (const auto* l = s.as<Locate>()) fine_ = fine_ && l->tensor != tensor_.name;
    if (const auto* t = s.as<Tabulate>()) fine_ = fine_ && t->tensor != tensor_.name;
    if (const auto* l = s.as<Loop>()) loop(*l);
    for_each_child(
        s, [&](const Stmt& child) { visit(child, inserted); },
        [&](const Expr& e) { fine_ = fine_ && reads_entries(e, inserted.empty()); });
  }

  /// Whatever else there is.
  bool assigns(const Stmt& s) const {
    const auto* a = s.as<Assign>();
    const auto* all = s.as<Seq>();
    return (a && a->tensor == tensor_.name) ||
           (all && std::ranges::any_of(all->statements, [&](const Stmt& one) { return assigns(one); }));
  }

  void update(const Assign& a, const std::string& inserted) {
    const auto* at = a.position.as<At>();
    const bool same = !any_ || op_ == a.op;
    fine_ = fine_ && at && at->name == inserted && !at->several && !a.atomic && same && !reads(a.value);
    any_ = true;
    op_ = a.op;
  }

  /// Threads that share it would list entries at the same time.
  template <class Loops>
  void loop(const Loops& l) {
    if (l.execution == Loop::Execution::parallel)
      for (const std::string& name : l.reduces) fine_ = fine_ && name != tensor_.name;
  }

  void coiterate(const Coiterate& c, const std::string& inserted) {
    loop(c);
    for (const Cursor& cursor : c.cursors)
      if (cursor.tensor == tensor_.name)
        fine_ = fine_ && inserted.empty() && !cursor.is_product() && !cursor.takes_segments() &&
                cursor.level + 1 == std::ssize(tensor_.levels) && c.execution != Loop::Execution::parallel;
    if (!c.ahead) return;
    for (const Ahead::Row& row : c.ahead->rows) fine_ = fine_ && row.tensor != tensor_.name;
  }

  bool reads(const Expr& e) const { return mentions(e, tensor_.name); }
  bool reads(const Position& position) const {
    bool found = false;
    for_each_child(position, [&](const Expr& e) { found = found || reads(e); });
    return found;
  }
  /// Is it read where a walk of it stands, if at all?
  bool reads_entries(const Expr& e, bool may) const {
    if (!reads(e)) return true;
    const auto* value = e.as<Value>();
    if (value && value->tensor == tensor_.name) {
      const auto* at = value->position.as<At>();
      return may && at && cursors_.contains(at->name);
    }
    if (e.as<Stored>() || e.as<Begin>() || e.as<Coordinate>() || e.as<Checked>()) return false;
    bool fine = true;
    for_each_child(e, [&](const Expr& child) { fine = fine && reads_entries(child, may); });
    return fine;
  }

  bool starts_at_identity(format::ReduceOp op) const {
    return op != format::ReduceOp::user && op != format::ReduceOp::argmin && op != format::ReduceOp::argmax &&
           format::identity(op, tensor_.type) == tensor_.fill;
  }

  const Tensor& tensor_;
  std::set<std::string> cursors_;
  std::optional<format::ReduceOp> op_;
  bool any_ = false, certain_ = true, fine_ = true;
};

}  // namespace

std::optional<AddedUp> adds_up(const Flow& flow, const Tensor& tensor) {
  if (tensor.storage != Tensor::Storage::temporary || tensor.levels.empty() || tensor.live) return std::nullopt;
  for (std::size_t level = 0; level < tensor.levels.size(); ++level) {
    const format::Facts& facts = tensor.levels[level].facts;
    const bool last = level + 1 == tensor.levels.size();
    if (last ? !facts.gaps || facts.locate != format::Locate::hash : !facts.dense()) return std::nullopt;
  }
  const Uses uses(flow, tensor);
  return uses.fine() ? std::optional(AddedUp{uses.op()}) : std::nullopt;
}

std::optional<format::ReduceOp> partial_by(const Flow& flow, const Stmt& stmt, const std::string& tensor) {
  const Tensor& scalar = *flow.tensor(tensor);
  if (!scalar.levels.empty() || scalar.storage != Tensor::Storage::temporary) return std::nullopt;
  std::optional<format::ReduceOp> found;
  bool mixed = false;
  for_each_stmt(stmt, [&](const Stmt& s) {
    const auto* a = s.as<Assign>();
    if (!a || a->tensor != tensor) return;
    mixed |= !a->op || (found && *found != *a->op);
    found = a->op;
  });
  return mixed ? std::nullopt : found;
}

}  // namespace trellis::flow
