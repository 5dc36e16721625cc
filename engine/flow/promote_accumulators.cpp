#include "engine/flow/promote_accumulators.hpp"

#include <algorithm>
#include <set>

#include "engine/flow/ranges.hpp"
#include "engine/flow/updates.hpp"
#include "engine/lang/function.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::flow {

namespace {

struct Target {
  std::string tensor;
  Position position;
  std::string by;  ///< what it accumulates, in a word
  /// Other threads update it too: what this loop adds is accumulated from nothing on, and then added.
  std::optional<format::ReduceOp> apart = {};
  bool operator==(const Target& o) const { return tensor == o.tensor && position == o.position; }
};

bool accumulates(const Assign& a) {
  if (a.op || update_of(a)) return true;
  const auto* b = a.value.as<Binary>();
  const auto* left = b ? b->left.as<Value>() : nullptr;
  return left && left->tensor == a.tensor && left->position == a.position;
}

std::string word_for(const Assign& a) {
  const std::optional<Update> update = update_of(a);
  if (update && update->op == format::ReduceOp::user) return lang::definition_of(update->function);
  return std::string(format::name_of(a.op.value_or(update ? update->op : format::ReduceOp::sum)));
}

/// Affine in names that `inner` does not hold, and unchecked.
bool invariant(const Position& position, const std::set<std::string>& inner) {
  if (const auto* at = position.as<At>()) return inner.count(at->name) == 0;
  if (position.as<Within>()) return false;
  const auto* d = position.as<Direct>();
  if (!d) return true;
  const std::optional<math::Affine> coordinate = affine(d->coordinate);
  if (!coordinate || d->check) return false;
  const bool moves =
      std::any_of(inner.begin(), inner.end(), [&](const auto& name) { return coordinate->mentions(name); });
  return !moves && invariant(d->parent, inner);
}

/// Is all that a statement does to the element, to update it so?
bool only_updates(const Stmt& stmt, const Target& element, format::ReduceOp op) {
  bool holds = true;
  const auto reads = [&](const Expr& e, const auto& self) -> void {
    const auto* v = e.as<Value>();
    holds = holds && !(v && v->tensor == element.tensor);
    for_each_child(e, [&](const Expr& child) { self(child, self); });
  };
  for_each_stmt(stmt, [&](const Stmt& s) {
    const auto* a = s.as<Assign>();
    const auto* exchange = s.as<Exchange>();
    if (a && a->tensor == element.tensor) holds = holds && a->op == op && a->position == element.position;
    if (exchange && exchange->tensor == element.tensor) holds = false;
    for_each_child(
        s, [](const Stmt&) {}, [&](const Expr& e) { reads(e, reads); });
  });
  return holds;
}

bool holds_parallel_loop(const Stmt& stmt) {
  bool found = false;
  for_each_stmt(stmt, [&](const Stmt& s) {
    const auto* l = s.as<Loop>();
    const auto* c = s.as<Coiterate>();
    found |= (l && l->execution == Loop::Execution::parallel) || (c && c->execution == Loop::Execution::parallel);
  });
  return found;
}

/// Whether all accesses inside a statement either are the element or provably miss it.
class Aliases {
 public:
  Aliases(const Target& element, const Ranges& ranges) : element_(element), ranges_(ranges) {}
  bool none_in(const Stmt& stmt) {
    visit(stmt);
    return none_;
  }

 private:
  void access(const std::string& tensor, const Position& position) {
    if (tensor == element_.tensor && !(position == element_.position)) {
      none_ = none_ && ranges_.distinct(position, element_.position);
    }
  }
  void visit(const Expr& e) {
    if (const auto* v = e.as<Value>()) access(v->tensor, v->position);
    for_each_child(e, [&](const Expr& child) { visit(child); });
  }
  void visit(const Stmt& s) {
    if (const auto* a = s.as<Assign>()) access(a->tensor, a->position);
    const auto* reset = s.as<Reset>();
    const auto* declare = s.as<Declare>();
    const auto* exchange = s.as<Exchange>();
    if (exchange && exchange->tensor == element_.tensor) none_ = false;
    if ((reset && reset->tensor == element_.tensor) || (declare && declare->tensor == element_.tensor)) none_ = false;
    // Insertion may bring the element to life, or move it.
    const auto* insert = s.as<Insert>();
    if (insert && insert->tensor == element_.tensor) none_ = false;
    const auto* loop = s.as<Loop>();
    const auto* walk = s.as<Coiterate>();
    const auto* let = s.as<Let>();
    if (loop) ranges_.enter(*loop);
    if (walk) ranges_.enter(*walk);
    if (let) ranges_.enter(let->name);
    for_each_child(
        s, [&](const Stmt& child) { visit(child); }, [&](const Expr& child) { visit(child); });
    if (loop || walk || let) ranges_.leave();
  }

  const Target& element_;
  Ranges ranges_;
  bool none_ = true;
};

/// Reads and writes of the element become those of the local variable.
class Substitution {
 public:
  Substitution(const Target& element, std::string local) : element_(element), local_(std::move(local)) {}
  Expr expr(const Expr& e) const {
    const auto* v = e.as<Value>();
    if (v && v->tensor == element_.tensor && v->position == element_.position) {
      return Expr(ExprNode{Value{local_, root()}, e->type, e->span}, e.origin());
    }
    return map_children(e, [&](const Expr& child) { return expr(child); });
  }
  Stmt stmt(const Stmt& s) const {
    Stmt inner = map_children(
        s, [&](const Stmt& child) { return stmt(child); }, [&](const Expr& child) { return expr(child); });
    const auto* a = inner.as<Assign>();
    if (!a || a->tensor != element_.tensor || !(a->position == element_.position)) return inner;
    return Stmt(StmtNode{Assign{local_, root(), a->op, a->value}, s->span}, s.origin());
  }

 private:
  const Target& element_;
  std::string local_;
};

/// The assignment that sets the element to a constant, if one of the last statements does; they set constants only.
std::vector<Stmt>::iterator start_of(std::vector<Stmt>& statements, const Value& element) {
  for (auto at = statements.end(); at != statements.begin();) {
    if ((--at)->as<Declare>()) continue;
    const auto* a = at->as<Assign>();
    if (!a || a->op || !a->value.as<Constant>()) break;
    if (a->tensor == element.tensor && a->position == element.position) return at;
  }
  return statements.end();
}

/// Appends what a loop became. Locals that would load an element which was only just set start with that value instead;
/// the store behind the loop makes the setting superfluous.
void append_started(std::vector<Stmt>& statements, const std::vector<Stmt>& loop) {
  std::vector<Stmt> started;
  for (const Stmt& s : loop) {
    const auto* load = s.as<Assign>();
    const auto* element = load && !load->op && load->position.as<Root>() ? load->value.as<Value>() : nullptr;
    const auto start = element ? start_of(statements, *element) : statements.end();
    if (start == statements.end()) {
      started.push_back(s);
      continue;
    }
    started.push_back(Stmt(StmtNode{Assign{load->tensor, load->position, {}, start->as<Assign>()->value}, s->span},
                           text::merge(s.origin(), start->origin())));
    statements.erase(start);
  }
  statements.insert(statements.end(), started.begin(), started.end());
}

class Promotion {
 public:
  explicit Promotion(Flow& flow) : flow_(flow), ranges_(sizes_of_operands(flow)) {}

  Stmt stmt(const Stmt& s) {
    if (s.as<Loop>() || s.as<Coiterate>()) return loop(s);
    if (const auto* q = s.as<Seq>()) return seq(s, *q);
    const auto* let = s.as<Let>();
    if (let) ranges_.enter(let->name);
    Stmt next = map_children(
        s, [&](const Stmt& child) { return stmt(child); }, [](const Expr& e) { return e; });
    if (let) ranges_.leave();
    return next;
  }

 private:
  /// A loop that became several statements joins its neighbours: the local's name is unique.
  Stmt seq(const Stmt& s, const Seq& q) {
    Seq next;
    bool changed = false;
    for (const Stmt& child : q.statements) {
      Stmt now = stmt(child);
      changed |= !now.same(child);
      const auto* several = child.as<Loop>() || child.as<Coiterate>() ? now.as<Seq>() : nullptr;
      if (several) {
        append_started(next.statements, several->statements);
      } else {
        next.statements.push_back(now);
      }
    }
    return changed ? Stmt(StmtNode{std::move(next), s->span}, s.origin()) : s;
  }

  static bool is_parallel(const Stmt& s) {
    const auto* l = s.as<Loop>();
    return (l ? l->execution : s.as<Coiterate>()->execution) == Loop::Execution::parallel;
  }
  static const std::vector<std::string>& reduces(const Stmt& s) {
    const auto* l = s.as<Loop>();
    return l ? l->reduces : s.as<Coiterate>()->reduces;
  }

  Stmt loop(const Stmt& s) {
    const bool parallel = is_parallel(s);
    Stmt current = s;
    std::vector<Stmt> before, after;
    for (const Target& element : candidates(s)) {
      if (!promotable(element, current)) continue;
      const std::string local = local_name(element);
      const format::ScalarType type = flow_.tensor(element.tensor)->type;
      flow_.tensors.push_back({local, type, {}, {}, Tensor::Storage::temporary});
      current = Substitution(element, local).stmt(current);
      Expr loaded(ExprNode{Value{element.tensor, element.position}, type, {}}, s.origin());
      Expr kept(ExprNode{Value{local, root()}, type, {}}, s.origin());
      before.push_back(Stmt(StmtNode{Declare{local}, {}}, s.origin()));
      const Expr first = element.apart ? constant(format::identity(*element.apart, type)) : loaded;
      before.push_back(Stmt(StmtNode{Assign{local, root(), {}, first}, {}}, s.origin()));
      after.push_back(Stmt(StmtNode{Assign{element.tensor, element.position, element.apart, kept}, {}}, s.origin()));
      if (parallel) current = reducing(current, element.tensor, local);
    }
    const std::set<std::string> outer_shared = shared_;
    if (parallel) shared_.insert(reduces(current).begin(), reduces(current).end());
    if (const auto* l = current.as<Loop>()) ranges_.enter(*l);
    else ranges_.enter(*current.as<Coiterate>());
    current = map_children(
        current, [&](const Stmt& child) { return stmt(child); }, [](const Expr& e) { return e; });
    ranges_.leave();
    shared_ = outer_shared;
    if (before.empty()) return current;
    before.push_back(current);
    before.insert(before.end(), after.begin(), after.end());
    return Stmt(StmtNode{Seq{std::move(before)}, s->span}, s.origin());
  }

  /// Elements that stay put while the loop runs and are accumulated into; of a parallel loop, the scalars it reduces.
  std::vector<Target> candidates(const Stmt& s) const {
    const bool parallel = is_parallel(s);
    std::vector<Target> found;
    bool parallel_inside = false;
    for_each_child(
        s, [&](const Stmt& child) { parallel_inside |= holds_parallel_loop(child); }, [](const Expr&) {});
    if (parallel_inside) return found;
    const std::set<std::string> inner = bound_in(s);
    for_each_stmt(s, [&](const Stmt& child) {
      const auto* a = child.as<Assign>();
      if (!a || !accumulates(*a) || !invariant(a->position, inner)) return;
      if (shared_.count(a->tensor) > 0) {
        Target element{a->tensor, a->position, word_for(*a), a->op};
        // Of a scalar each thread has a part of its own.
        const bool whole = a->op && *a->op != format::ReduceOp::user && !flow_.tensor(a->tensor)->levels.empty();
        if (!parallel && whole && only_updates(s, element, *a->op)) add_once(found, element);
        return;
      }
      const Tensor& tensor = *flow_.tensor(a->tensor);
      const bool reduced = contains(reduces(s), a->tensor);
      if (tensor.levels.empty() && tensor.storage == Tensor::Storage::temporary) return;
      if (parallel && (!reduced || !tensor.levels.empty())) return;
      const Target element{a->tensor, a->position, word_for(*a)};
      add_once(found, element);
    });
    return found;
  }

  bool promotable(const Target& element, const Stmt& loop) const {
    return ranges_.in_range(element.position, *flow_.tensor(element.tensor)) && Aliases(element, ranges_).none_in(loop);
  }

  static Stmt reducing(const Stmt& s, const std::string& tensor, const std::string& local) {
    const auto with_local = [&](auto node) {
      std::replace(node.reduces.begin(), node.reduces.end(), tensor, local);
      return Stmt(StmtNode{std::move(node), s->span}, s.origin());
    };
    return s.as<Loop>() ? with_local(*s.as<Loop>()) : with_local(*s.as<Coiterate>());
  }

  /// `L_ij` for L[i][j] where that reads well, else `L_sum`; never a name that the flow has.
  std::string local_name(const Target& element) const {
    std::string indices;
    bool plain = true;
    for (const Position* p = &element.position; p->as<Direct>(); p = &p->as<Direct>()->parent) {
      const auto* n = p->as<Direct>()->coordinate.as<Name>();
      plain = plain && n;
      if (n) indices = n->name + indices;
    }
    const std::string base = element.tensor + "_" + (plain && !indices.empty() ? indices : element.by);
    auto taken = [&](const std::string& name) {
      return flow_.tensor(name) || std::count(flow_.sizes.begin(), flow_.sizes.end(), name) > 0 ||
             std::count(flow_.reals.begin(), flow_.reals.end(), name) > 0;
    };
    std::string name = base;
    for (int suffix_number = 2; taken(name); ++suffix_number) name = base + "_" + std::to_string(suffix_number);
    return name;
  }

  Flow& flow_;
  Ranges ranges_;
  std::set<std::string> shared_;  ///< updated by several iterations of a parallel loop around
};

}  // namespace

Flow promote_accumulators(const Flow& flow) {
  Flow result = flow;
  result.root = Promotion(result).stmt(flow.root);
  return result;
}

}  // namespace trellis::flow
