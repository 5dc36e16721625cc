#include "engine/flow/forward_appends.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace trellis::flow {

const Stmt* append_in(const Stmt& s) {
  if (s.as<Append>()) return &s;
  if (const auto* l = s.as<Locate>()) return append_in(l->body);
  if (const auto* l = s.as<Let>()) return append_in(l->body);
  return nullptr;
}

bool is_below(const Position& parent, int level, const Append& append) {
  if (level + 1 != static_cast<int>(append.coordinates.size())) return false;
  const Position* position = &parent;
  for (int above = level; above-- > 0;) {
    const auto* direct = position->as<Direct>();
    if (!direct || direct->check || !(direct->coordinate == append.coordinates[static_cast<std::size_t>(above)])) return false;
    position = &direct->parent;
  }
  return true;
}

namespace {

Stmt with_append(const Stmt& s, const Stmt& instead) {
  if (s.as<Append>()) return instead;
  return map_children(s, [&](const Stmt& child) { return with_append(child, instead); }, [](const Expr& e) { return e; });
}

/// What a look-up finds has been appended under these coordinates.
bool finds(const Locate& locate, const Append& append) {
  if (locate.tensor != append.tensor || locate.exists || locate.several || locate.check) return false;
  return locate.coordinate == append.coordinates.back() && is_below(locate.parent, locate.level, append);
}

/// The body of a look-up, with what was appended in place of what is stored.
class Known {
 public:
  Known(const Locate& locate, Expr value, Expr stored) : locate_(locate), value_(std::move(value)), stored_(std::move(stored)) {}

  /// Empty when it needs the position for something else.
  std::optional<Stmt> body() {
    const Stmt result = stmt(locate_.body);
    return position_needed_ ? std::nullopt : std::optional(result);
  }

 private:
  Stmt stmt(const Stmt& s) {
    if (const auto* a = s.as<Assign>()) position_needed_ |= a->tensor == locate_.tensor;
    if (const auto* c = s.as<Coiterate>())
      for (const Cursor& cursor : c->cursors) position_needed_ |= is_here(cursor.parent);
    if (const auto* l = s.as<Locate>()) position_needed_ |= is_here(l->parent);
    return map_children(s, [&](const Stmt& child) { return stmt(child); }, [&](const Expr& e) { return expr(e); });
  }

  Expr expr(const Expr& e) {
    if (const auto* v = e.as<Value>(); v && v->tensor == locate_.tensor && is_here(v->position)) return value_;
    if (const auto* b = e.as<Binary>(); b && b->op == format::BinaryOp::greater_equal && is_name(b->left)) {
      const auto* zero = b->right.as<Constant>();
      if (zero && zero->value.integer == 0) return stored_;
    }
    position_needed_ |= is_name(e);
    return map_children(e, [&](const Expr& child) { return expr(child); });
  }

  bool is_name(const Expr& e) const { return e.as<Name>() && e.as<Name>()->name == locate_.name; }
  bool is_here(const Position& position) const {
    const auto* at = position.as<At>();
    const auto* within = position.as<Within>();
    return (at && at->name == locate_.name) || (within && within->name == locate_.name);
  }

  const Locate& locate_;
  const Expr value_, stored_;
  bool position_needed_ = false;
};

class Forwarding {
 public:
  explicit Forwarding(const Flow& flow) : flow_(flow), taken_(bound_in(flow.root)) {
    taken_.insert(flow.sizes.begin(), flow.sizes.end());
    taken_.insert(flow.reals.begin(), flow.reals.end());
    for (const Tensor& tensor : flow.tensors) taken_.insert(tensor.name);
  }

  Stmt visit(const Stmt& s) {
    const Stmt inner = map_children(s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    const auto* seq = inner.as<Seq>();
    if (!seq) return inner;
    Seq next = *seq;
    bool changed = false;
    for (std::size_t k = 0; k + 1 < next.statements.size(); ++k) {
      std::size_t reader = k + 1;
      while (reader < next.statements.size() && next.statements[reader].as<Note>()) ++reader;
      if (reader == next.statements.size()) break;
      const auto begin = next.statements.begin() + static_cast<std::ptrdiff_t>(k), end = next.statements.begin() + static_cast<std::ptrdiff_t>(reader);
      const auto together = forwarded(*begin, {begin + 1, end}, *end);
      if (!together) continue;
      *begin = *together;
      next.statements.erase(begin + 1, end + 1);
      changed = true;
    }
    return changed ? Stmt(StmtNode{std::move(next), inner->span}, inner.origin(), inner.id()) : inner;
  }

 private:
  std::optional<Stmt> forwarded(const Stmt& writer, const std::vector<Stmt>& notes, const Stmt& reader) {
    const Stmt* at = append_in(writer);
    const auto* locate = reader.as<Locate>();
    if (!at || !locate || !finds(*locate, *at->as<Append>())) return std::nullopt;
    const Append& append = *at->as<Append>();
    const Tensor& tensor = *flow_.tensor(append.tensor);
    if (tensor.pattern || append.value->type != tensor.type) return std::nullopt;
    // What the writer looked up is in scope for the reader then.
    const std::set<std::string> outside = bound_in(writer), inside = bound_in(locate->body);
    if (std::ranges::any_of(outside, [&](const std::string& n) { return inside.contains(n); })) return std::nullopt;

    const std::string kept = fresh(append.tensor + "_value");
    const auto same_place = [&](auto node) { return Stmt(StmtNode{std::move(node), (*at)->span}, text::merge(at->origin(), reader.origin())); };
    const Expr value(ExprNode{Name{Name::Kind::variable, kept}, append.value->type, append.value->span}, append.value.origin());
    const auto truth = [](auto node) { return Expr(ExprNode{std::move(node), format::ScalarType::boolean, {}}); };
    const Expr stored = append.prune ? truth(Binary{format::BinaryOp::not_equal, value, constant(tensor.fill)}) : truth(Constant{format::Value::truth(true)});
    const auto body = Known(*locate, value, stored).body();
    if (!body) return std::nullopt;

    Append plain = append;
    plain.value = value;
    plain.prune = false;
    Seq all{{Stmt(StmtNode{std::move(plain), (*at)->span}, at->origin())}};
    all.statements.insert(all.statements.end(), notes.begin(), notes.end());
    const auto* where = body->as<If>();
    const bool only_there = where && !where->otherwise && where->condition == stored;
    if (only_there || !append.prune) {
      all.statements.push_back(only_there ? where->then : *body);
      if (append.prune) all = Seq{{same_place(If{stored, same_place(std::move(all)), {}})}};
    } else {
      all.statements.front() = same_place(If{stored, all.statements.front(), {}});
      all.statements.push_back(*body);
    }
    taken_.insert(kept);
    return with_append(writer, same_place(Let{kept, append.value, same_place(std::move(all))}));
  }

  std::string fresh(const std::string& wish) const {
    std::string name = wish;
    for (int number = 2; taken_.contains(name); ++number) name = wish + "_" + std::to_string(number);
    return name;
  }

  const Flow& flow_;
  std::set<std::string> taken_;
};

}  // namespace

Flow forward_appends(const Flow& flow) {
  Flow result = flow;
  result.root = Forwarding(flow).visit(flow.root);
  return number(result);
}

}  // namespace trellis::flow
