#include "engine/flow/carry_values.hpp"

#include <map>
#include <set>

#include "engine/flow/fresh_names.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/flow/rename.hpp"

namespace trellis::flow {

namespace {

/// The coordinates of a position in dense levels, outermost first, which nothing has to check; empty for any other.
std::vector<math::Affine> place_of(const Position& position) {
  std::vector<math::Affine> place;
  for (const Position* p = &position; !p->as<Root>(); p = &p->as<Direct>()->parent) {
    const auto* d = p->as<Direct>();
    const auto coordinate = d && !d->check ? affine(d->coordinate) : std::nullopt;
    if (!coordinate) return {};
    place.insert(place.begin(), *coordinate);
  }
  return place;
}

std::vector<math::Affine> moved(std::vector<math::Affine> place, const std::string& variable, std::int64_t by) {
  for (math::Affine& c : place) c = c.substitute({{variable, math::Affine::name(variable) + math::Affine(by)}});
  return place;
}

bool are_apart(const std::vector<math::Affine>& a, const std::vector<math::Affine>& b) {
  if (a.empty() || a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (const math::Affine difference = a[k] - b[k]; difference.is_constant() && difference.constant != 0) return true;
  return false;
}

/// The assignments of a body that holds nothing else, in order.
std::optional<std::vector<Stmt>> only_assignments(const Stmt& body) {
  std::vector<Stmt> all;
  bool only = true;
  for_each_stmt(body, [&](const Stmt& s) {
    if (s.as<Assign>()) all.push_back(s);
    else only &= s.as<Seq>() || s.as<Note>() || s.as<Declare>();
  });
  return only ? std::optional(all) : std::nullopt;
}

/// A store and the element that it leaves for the next iteration.
struct Carried {
  Stmt store;
  std::string tensor, local;
  std::vector<math::Affine> read;  ///< where the next iteration reads it
};

class CarryingValues {
 public:
  explicit CarryingValues(Flow& flow) : flow_(flow), names_(flow) {}

  Stmt visit(const Stmt& s) {
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    const auto* loop = inner.as<Loop>();
    return loop ? carried(inner, *loop) : inner;
  }

 private:
  Stmt carried(const Stmt& s, const Loop& loop) {
    const bool plain = is_plain(loop, {But::down, But::unless, But::carries});
    const auto stores = plain ? only_assignments(loop.body) : std::nullopt;
    if (!stores) return s;
    const std::int64_t back = loop.direction == Loop::Direction::up ? -1 : 1;
    std::vector<Stmt> all;
    Loop next = loop;
    int locals = 0;
    for (const Stmt& store : *stores) {
      auto found = left_by(store, *stores, loop.variable, back);
      const auto first = found ? read_of(*found, *stores) : std::nullopt;
      if (!first) continue;
      found->local = local_of(found->tensor, ++locals);
      all.push_back(made(s, Declare{found->local}));
      all.push_back(made(s, Assign{found->local, root(), {}, before(loop, *first)}));
      next.body = Forwarding{*found, *first}.stmt(next.body);
    }
    if (all.empty()) return s;
    all.push_back(made(s, std::move(next)));
    return made(s, Seq{std::move(all)});
  }

  template <class Node>
  static Stmt made(const Stmt& s, Node node) {
    return Stmt(StmtNode{std::move(node), s->span}, s.origin());
  }

  /// What the store leaves, if the loop moves it and no other store touches it until the next iteration.
  std::optional<Carried> left_by(const Stmt& store, const std::vector<Stmt>& stores, const std::string& variable,
                                 std::int64_t back) {
    const Assign& a = *store.as<Assign>();
    const std::vector<math::Affine> place = place_of(a.position);
    if (a.op || a.atomic || place.empty()) return std::nullopt;
    int others = 0;
    for (const Stmt& other : stores) {
      const Assign& o = *other.as<Assign>();
      if (other.same(store) || o.tensor != a.tensor) continue;
      ++others;
      const auto there = place_of(o.position);
      if (!are_apart(there, place) || !are_apart(moved(there, variable, -back), place)) return std::nullopt;
    }
    const auto read = moved(place, variable, back);
    if (others == 0 || !are_apart(read, place)) return std::nullopt;
    return Carried{store, a.tensor, "", read};
  }

  /// A read of it that every iteration does, up to the store itself.
  static std::optional<Expr> read_of(const Carried& carried, const std::vector<Stmt>& stores) {
    std::optional<Expr> found;
    for (const Stmt& s : stores) {
      if (!found) found = always_read(carried, s.as<Assign>()->value);
      if (s.same(carried.store)) break;
    }
    return found;
  }

  static std::optional<Expr> always_read(const Carried& carried, const Expr& e) {
    if (const auto* v = e.as<Value>(); v && v->tensor == carried.tensor && place_of(v->position) == carried.read)
      return e;
    const auto* b = e.as<Binary>();
    const bool may_skip = b && (b->op == format::BinaryOp::logical_and || b->op == format::BinaryOp::logical_or);
    if (may_skip) return always_read(carried, b->left);
    if (const auto* select = e.as<Select>()) return always_read(carried, select->condition);
    std::optional<Expr> found;
    for_each_child(e, [&](const Expr& child) {
      if (!found) found = always_read(carried, child);
    });
    return found;
  }

  /// What stands there before the first iteration, if there is one.
  static Expr before(const Loop& loop, const Expr& read) {
    const auto i64 = [](auto node) { return Expr(ExprNode{std::move(node), format::ScalarType::i64, {}}); };
    const bool down = loop.direction == Loop::Direction::down;
    const Expr first = down ? i64(Binary{format::BinaryOp::subtract, loop.high, integer(1)}) : loop.low;
    Renaming how;
    how.values[loop.variable] = first;
    const Expr some(ExprNode{Binary{format::BinaryOp::less, loop.low, loop.high}, format::ScalarType::boolean, {}});
    const Expr nothing = constant(format::Value::of_integer(read->type, 0));
    return Expr(ExprNode{Select{some, folded(renamed(read, how)), nothing}, read->type, {}});
  }

  static Expr folded(const Expr& e) {
    const auto number = e.as<Binary>() ? affine(e) : std::nullopt;
    return number && number->is_constant() ? integer(number->constant) : map_children(e, folded);
  }

  /// Reads up to the store are of the local variable, which the store keeps up to date.
  struct Forwarding {
    const Carried& carried;
    const Expr& read;
    bool stored = false;

    Expr local() const { return Expr(ExprNode{Value{carried.local, root()}, read->type, {}}, read.origin()); }

    Expr expr(const Expr& e) const {
      const auto* v = e.as<Value>();
      if (v && v->tensor == carried.tensor && place_of(v->position) == carried.read) return local();
      return map_children(e, [&](const Expr& child) { return expr(child); });
    }

    Stmt stmt(const Stmt& s) {
      if (const auto* q = s.as<Seq>()) {
        Seq next;
        for (const Stmt& child : q->statements) add(next.statements, child);
        return Stmt(StmtNode{std::move(next), s->span}, s.origin());
      }
      std::vector<Stmt> all;
      add(all, s);
      return all.size() == 1 ? all.front() : Stmt(StmtNode{Seq{std::move(all)}, s->span}, s.origin());
    }

    void add(std::vector<Stmt>& into, const Stmt& s) {
      if (s.as<Seq>()) return into.push_back(stmt(s));
      const auto* a = s.as<Assign>();
      if (stored || !a) return into.push_back(s);
      const Expr value = expr(a->value);
      const auto assign = [&](Assign to) { into.push_back(Stmt(StmtNode{std::move(to), s->span}, s.origin())); };
      const auto* own = carried.store.as<Assign>();
      stored = a->tensor == own->tensor && a->position == own->position;
      if (!stored) return assign({a->tensor, a->position, a->op, value});
      assign({carried.local, root(), {}, value});
      assign({a->tensor, a->position, {}, local()});
    }
  };

  /// `x_last`, of the loop's second such store `x_last2`: loops beside each other have the same.
  std::string local_of(const std::string& tensor, int number) {
    std::string& local = locals_[{tensor, number}];
    if (!local.empty()) return local;
    local = names_.take(names_.underlined(tensor + "_last" + (number > 1 ? std::to_string(number) : "")));
    flow_.tensors.push_back({local, flow_.tensor(tensor)->type, {}, {}, Tensor::Storage::temporary});
    return local;
  }

  Flow& flow_;
  FreshNames names_;
  std::map<std::pair<std::string, int>, std::string> locals_;
};

}  // namespace

Flow carry_values(const Flow& flow) {
  Flow result = flow;
  result.root = CarryingValues(result).visit(flow.root);
  return result;
}

}  // namespace trellis::flow
