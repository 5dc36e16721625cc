#include "engine/flow/forward_appends.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/flow/fresh_names.hpp"
#include "engine/flow/rename.hpp"

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
    if (!direct || direct->check || !(direct->coordinate == append.coordinates[static_cast<std::size_t>(above)]))
      return false;
    position = &direct->parent;
  }
  return true;
}

namespace {

Stmt with_append(const Stmt& s, const Stmt& instead) {
  if (s.as<Append>()) return instead;
  return map_children(
      s, [&](const Stmt& child) { return with_append(child, instead); }, [](const Expr& e) { return e; });
}

/// What a look-up finds has been appended under these coordinates.
bool finds(const Locate& locate, const Append& append) {
  if (locate.tensor != append.tensor || locate.exists || locate.several || locate.check) return false;
  return locate.coordinate == append.coordinates.back() && is_below(locate.parent, locate.level, append);
}

/// The body of a look-up, with what was appended in place of what is stored.
class Forwarded {
 public:
  Forwarded(const Locate& locate, Expr value, Expr stored)
      : locate_(locate), value_(std::move(value)), stored_(std::move(stored)) {}

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
    return map_children(
        s, [&](const Stmt& child) { return stmt(child); }, [&](const Expr& e) { return expr(e); });
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
  explicit Forwarding(const Flow& flow) : flow_(flow), names_(flow) {}

  Stmt visit(const Stmt& s) {
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    const auto* seq = inner.as<Seq>();
    if (!seq) return inner;
    Seq next = *seq;
    bool changed = false;
    for (std::size_t k = 0; k + 1 < next.statements.size(); ++k) {
      const auto writer = next.statements.begin() + static_cast<std::ptrdiff_t>(k);
      const std::optional<Readers> readers = readers_of(*writer, {writer + 1, next.statements.end()});
      if (!readers) continue;
      *writer = forwarded(*writer, *readers);
      next.statements.erase(writer + 1, writer + 1 + static_cast<std::ptrdiff_t>(readers->statements.size()));
      changed = true;
    }
    return changed ? Stmt(StmtNode{std::move(next), inner->span}, inner.origin(), inner.id()) : inner;
  }

 private:
  /// Statements behind a writer, up to the last that takes the value.
  struct Readers {
    std::string kept;  ///< what the value is called
    Expr stored;       ///< whether it was stored
    std::vector<Stmt> statements;
  };

  std::optional<Readers> readers_of(const Stmt& writer, const std::vector<Stmt>& behind) {
    const Stmt* at = append_in(writer);
    if (!at) return std::nullopt;
    const Append& append = *at->as<Append>();
    const Tensor& tensor = *flow_.tensor(append.tensor);
    if (tensor.pattern || append.value->type != tensor.type) return std::nullopt;
    Readers readers{names_.numbered(append.tensor + "_value"), {}, {}};
    const Expr value = kept_value(readers, append);
    const auto truth = [](auto node) { return Expr(ExprNode{std::move(node), format::ScalarType::boolean, {}}); };
    readers.stored = append.prune ? truth(Binary{format::BinaryOp::not_equal, value, constant(tensor.fill)})
                                  : truth(Constant{format::Value::truth(true)});
    std::size_t found = 0;  // up to the last one that takes it
    bool declares = false;
    for (const Stmt& next : behind) {
      const auto taken = read(writer, next, append, value, readers.stored);
      if (!taken) break;
      readers.statements.push_back(*taken);
      if (!taken->same(next)) found = readers.statements.size();
    }
    for (std::size_t k = 0; k < found; ++k) declares |= readers.statements[k].as<Declare>() != nullptr;
    if (declares && found < behind.size()) {  // what comes to life lives on to the end
      if (readers.statements.size() < behind.size()) return std::nullopt;
      found = behind.size();
    }
    readers.statements.resize(found);
    return found > 0 ? std::optional(std::move(readers)) : std::nullopt;
  }

  /// A statement behind the writer, with the value in place of what look-ups in it find; empty where it cannot stand in
  /// the writer's scope.
  std::optional<Stmt> read(const Stmt& writer, const Stmt& reader, const Append& append, const Expr& value,
                           const Expr& stored) const {
    const Stmt taken = with_value(reader, append, value, stored);
    // What the writer looked up is in scope for the reader then.
    const std::set<std::string> outside = bound_in(writer), inside = bound_in(taken);
    if (std::ranges::any_of(outside, [&](const std::string& n) { return inside.contains(n); })) return std::nullopt;
    bool stays = true;
    for_each_stmt(reader, [&](const Stmt& s) {
      const auto* r = s.as<Reset>();
      stays = stays && !(r && r->tensor == append.tensor);
    });
    for (const Expr& coordinate : append.coordinates)
      for (const std::string& name : inside) stays = stays && !names(coordinate, name);
    return stays ? std::optional(taken) : std::nullopt;
  }

  static Stmt with_value(const Stmt& s, const Append& append, const Expr& value, const Expr& stored) {
    const auto* locate = s.as<Locate>();
    if (locate && finds(*locate, append))
      if (const auto body = Forwarded(*locate, value, stored).body()) return *body;
    return map_children(
        s, [&](const Stmt& child) { return with_value(child, append, value, stored); },
        [](const Expr& e) { return e; });
  }

  static Expr kept_value(const Readers& readers, const Append& append) {
    return Expr(ExprNode{Name{Name::Kind::variable, readers.kept}, append.value->type, append.value->span},
                append.value.origin());
  }

  Stmt forwarded(const Stmt& writer, const Readers& readers) {
    const Stmt& at = *append_in(writer);
    const Append& append = *at.as<Append>();
    text::Origin origin = at.origin();
    for (const Stmt& reader : readers.statements) origin = text::merge(origin, reader.origin());
    const auto same_place = [&](auto node) { return Stmt(StmtNode{std::move(node), at->span}, origin); };
    const auto guarded = [&](const Stmt& s) {
      const auto* where = s.as<If>();
      return s.as<Note>() || (where && !where->otherwise && where->condition == readers.stored);
    };
    Append plain = append;
    plain.value = kept_value(readers, append);
    plain.prune = false;
    Seq all{{Stmt(StmtNode{std::move(plain), at->span}, at.origin())}};
    const bool only_there = std::ranges::all_of(readers.statements, guarded);
    if (append.prune && !only_there)
      all.statements.front() = same_place(If{readers.stored, all.statements.front(), {}});
    for (const Stmt& reader : readers.statements)
      all.statements.push_back(only_there && reader.as<If>() ? reader.as<If>()->then : reader);
    if (append.prune && only_there) all = Seq{{same_place(If{readers.stored, same_place(std::move(all)), {}})}};
    names_.take(readers.kept);
    return with_append(writer, same_place(Let{readers.kept, append.value, same_place(std::move(all))}));
  }

  const Flow& flow_;
  FreshNames names_;
};

}  // namespace

Flow forward_appends(const Flow& flow) {
  Flow result = flow;
  result.root = Forwarding(flow).visit(flow.root);
  return result;
}

}  // namespace trellis::flow
