#include "engine/flow/verify_expressions.hpp"

#include <algorithm>

#include "engine/flow/verify_storage.hpp"

namespace trellis::flow {

namespace {

using format::ScalarType;

void of_type(const Expr& e, ScalarType type, const char* what) { require(e->type == type, to_string(e) + what); }

}  // namespace

const BoundName& ExpressionVerifier::bound(const std::string& name, const std::string& what) const {
  const auto found = bound_.find(name);
  require(found != bound_.end(), what + " " + name);
  return found->second;
}
/// Within a segment, entries of its own level are gone through.
void ExpressionVerifier::position_of_level(const At& at, int level) const {
  const BoundName& known = bound(at.name, "unbound position");
  require(known.level < 0 || known.level == level || (at.several && known.level == level + 1),
          at.name + " is a position of another level");
}
void ExpressionVerifier::whole(const Expr& e) const { of_type(e, ScalarType::i64, " is no i64"); }
void ExpressionVerifier::truth(const Expr& e) const { of_type(e, ScalarType::boolean, " is no truth value"); }

void ExpressionVerifier::element(const std::string& name, const Position& position) const {
  const Tensor* tensor = flow_.tensor(name);
  require(tensor != nullptr, "unknown tensor " + name);
  require(alive_.count(name) > 0, name + " is used outside its life");
  below(name, position, static_cast<int>(tensor->levels.size()));
}

/// A position at the last of the first `levels` levels.
void ExpressionVerifier::below(const std::string& name, const Position& position, int levels) const {
  position.match([&](const Root&) { require(levels == 0, name + " needs one coordinate a level"); },
                 [&](const Direct& d) {
                   require(d.tensor == name, "a position of " + d.tensor + " used for " + name);
                   require(d.level == levels - 1, "levels of " + name + " out of order");
                   require(d.coordinate->type == ScalarType::i64, "a coordinate of " + name + " is no i64");
                   below(name, d.parent, levels - 1);
                 },
                 [&](const At& at) { position_of_level(at, levels - 1); },
                 [&](const Within& w) {
                   require(w.tensor == name, "a position of " + w.tensor + " used for " + name);
                   require(w.level == levels - 1, "levels of " + name + " out of order");
                   bound(w.name, "unbound block");
                   expr(w.coordinate);
                 });
}

void ExpressionVerifier::level(const std::string& name, int number, const Position& parent) const {
  levels(name, number, number, parent);
}

void ExpressionVerifier::levels(const std::string& name, int first, int number, const Position& parent) const {
  const Tensor* tensor = flow_.tensor(name);
  require(tensor && alive_.count(name) > 0, name + " is used outside its life");
  require(number >= 0 && number < static_cast<int>(tensor->levels.size()) &&
              !tensor->levels[static_cast<std::size_t>(number)].facts.dense(),
          name + " has no such sparse level");
  below(name, parent, first);
  for_each_child(parent, [&](const Expr& coordinate) { expr(coordinate); });
}

/// A level of lists that stand still.
bool ExpressionVerifier::keeps_entries(const std::string& name, int level) const {
  const Tensor* tensor = flow_.tensor(name);
  if (!tensor || level < 0 || level >= static_cast<int>(tensor->levels.size())) return false;
  const format::Facts& facts = tensor->levels[static_cast<std::size_t>(level)].facts;
  return !tensor->appends() && tensor->storage != Tensor::Storage::temporary && facts.positions && facts.coordinates;
}

void ExpressionVerifier::expr(const Expr& e) const {
  e.match(
      [&](const Constant& c) { require(c.value.type == e->type, "a constant of another type"); },
      [&](const Name& n) { require(bound(n.name, "unbound name").type == e->type, n.name + " is of another type"); },
      [&](const Value& v) {
        element(v.tensor, v.position);
        const Tensor* tensor = flow_.tensor(v.tensor);
        require(tensor->type == e->type, "a value of another type than " + v.tensor);
      },
      [&](const Here& h) {
        require(bound(h.cursor, "unbound cursor").cursor, h.cursor + " is no cursor");
        whole(e);
      },
      [&](const Unary& u) {
        const bool tells = u.op == format::UnaryOp::logical_not;
        require(tells ? format::is_boolean(e->type) : u.operand->type == e->type,
                "an operand of another type in " + to_string(e));
      },
      [&](const Binary& b) {
        const bool shift = b.op == format::BinaryOp::shift_left || b.op == format::BinaryOp::shift_right;
        require(shift || b.left->type == b.right->type, "operands of two types in " + to_string(e));
        const bool tells = format::is_comparison(b.op) || format::is_logical(b.op);
        require(tells ? format::is_boolean(e->type) : e->type == b.left->type,
                "a result of another type than the operands of " + to_string(e));
      },
      [&](const Select& s) {
        truth(s.condition);
        require(s.then->type == e->type && s.otherwise->type == e->type, "arms of two types in " + to_string(e));
      },
      [](const Cast&) {}, [&](const Call& c) { require(!c.arguments.empty(), "a call of nothing"); },
      [&](const Apply& a) {
        const auto f = std::ranges::find(flow_.functions, a.function, &flow::Function::name);
        require(f != flow_.functions.end() && f->parameters.size() == a.arguments.size(),
                a.function + " is no function of so many operands");
        require(f->result->type == e->type, "a result of another type than " + a.function);
      },
      [&](const After& a) { require(a.value->type == e->type, "a value of another type in " + to_string(e)); },
      [&](const Checked& c) {
        const Tensor* tensor = flow_.tensor(c.tensor);
        require(tensor && c.level >= 0 && c.level < static_cast<int>(tensor->levels.size()),
                c.tensor + " has no such level");
        require(e->type == ScalarType::i64 && c.coordinate->type == e->type,
                "a coordinate of " + c.tensor + " is no i64");
      },
      [&](const Stored& s) {
        const Tensor* tensor = flow_.tensor(s.tensor);
        require(tensor && tensor->storage == Tensor::Storage::operand && s.level >= 0 &&
                    s.level < static_cast<int>(tensor->levels.size()),
                s.tensor + " has no such level");
        require(e->type == ScalarType::i64, "a number of entries of " + s.tensor + " is no i64");
      },
      [&](const Begin& b) {
        level(b.tensor, b.level, b.parent);
        require(keeps_entries(b.tensor, b.level), "entries of " + b.tensor + " begin where nobody says");
        whole(e);
      },
      [&](const Coordinate& c) {
        require(keeps_entries(c.tensor, c.level), "an entry of " + c.tensor + " is at no coordinate that is stored");
        whole(e), whole(c.entry);
      });
  for_each_child(e, [&](const Expr& child) { expr(child); });
}

}  // namespace trellis::flow
