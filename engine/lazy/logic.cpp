#include "engine/lazy/logic.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <functional>
#include <iterator>
#include <unordered_map>

#include "engine/lazy/operation.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lazy {

using format::ScalarType;

Field fresh_field(std::int64_t size) {
  static std::atomic<std::int64_t> next = 0;
  return {next++, size};
}

Fields as_set(Fields fields) {
  std::ranges::sort(fields);
  const auto rest = std::ranges::unique(fields);
  fields.erase(rest.begin(), rest.end());
  return fields;
}

Fields united(const Fields& a, const Fields& b) {
  Fields result;
  std::ranges::set_union(a, b, std::back_inserter(result));
  return result;
}
Fields without(const Fields& a, const Fields& b) {
  Fields result;
  std::ranges::set_difference(a, b, std::back_inserter(result));
  return result;
}
Fields common(const Fields& a, const Fields& b) {
  Fields result;
  std::ranges::set_intersection(a, b, std::back_inserter(result));
  return result;
}

Fields Shape::bound_in(std::size_t part) const {
  if (op == lang::Shape::Op::stack) return {};
  if (op == lang::Shape::Op::concat) return {from[part]};
  return as_set(from);
}

namespace {

Fields free_fields(const ExprNode& node) {
  return std::visit(
      text::overloaded{[](const Table& t) { return as_set(t.fields); }, [](const Const&) { return Fields(); },
                       [](const Map& m) {
                         Fields all;
                         for (const Expr& argument : m.arguments) all = united(all, argument->fields);
                         return all;
                       },
                       [](const Agg& a) { return without(a.of->fields, a.over); },
                       [](const Arg& a) { return without(a.of->fields, {a.over}); },
                       [](const Shape& s) {
                         Fields all = as_set(s.to);
                         for (std::size_t p = 0; p < s.parts.size(); ++p)
                           all = united(all, without(s.parts[p]->fields, s.bound_in(p)));
                         return all;
                       }},
      node.is);
}

class Hash {
 public:
  template <class T>
  requires std::is_integral_v<T> || std::is_enum_v<T> Hash& operator<<(T part) {
    value_ = (std::rotl(value_, 7) ^ static_cast<std::size_t>(part)) * 0x9E3779B97F4A7C15u;
    return *this;
  }
  Hash& operator<<(const std::string& part) { return *this << std::hash<std::string>()(part); }
  /// Zeros of both signs are equal.
  Hash& operator<<(const format::Value& v) {
    return *this << v.type << std::bit_cast<std::uint64_t>(v.real + 0.0) << v.integer;
  }
  Hash& operator<<(const Field& field) { return *this << field.number; }
  Hash& operator<<(const Expr& expr) { return *this << expr->hash; }
  Hash& operator<<(const Operator& op) {
    *this << op.index();
    std::visit(text::overloaded{[&](const Cast& to) { *this << to.type; }, [](const Where&) {},
                                [&](auto enumerator) { *this << enumerator; }},
               op);
    return *this;
  }
  template <class T>
  Hash& operator<<(const std::vector<T>& parts) {
    *this << parts.size();
    for (const T& part : parts) *this << part;
    return *this;
  }
  std::size_t value() const { return value_; }

 private:
  std::size_t value_ = 1;
};

std::size_t hash_of(const ExprNode& node) {
  Hash hash;
  hash << node.is.index();
  std::visit(
      text::overloaded{[&](const Table& t) { hash << t.name << t.type << t.fields; },
                       [&](const Const& c) { hash << c.value; }, [&](const Map& m) { hash << m.op << m.arguments; },
                       [&](const Agg& a) { hash << a.op << a.over << a.of; },
                       [&](const Arg& a) { hash << a.op << a.over << a.of; },
                       [&](const Shape& s) { hash << s.op << s.parts << s.from << s.to << s.numbers; }},
      node.is);
  return hash.value();
}

Expr made(decltype(ExprNode::is) is, ScalarType type) {
  ExprNode node{std::move(is), type, {}, 0};
  node.fields = free_fields(node);
  node.hash = hash_of(node);
  return Expr(std::move(node));
}

}  // namespace

Expr table(std::string name, ScalarType type, format::Value fill, std::vector<Field> fields) {
  assert(fill.type == type);
  return made(Table{std::move(name), type, fill, std::move(fields)}, type);
}

Expr constant(format::Value value) { return made(Const{value}, value.type); }

Expr map(Operator op, std::vector<Expr> arguments) {
  std::vector<ScalarType> types;
  for (const Expr& argument : arguments) types.push_back(argument->type);
  const ScalarType type = result_type(op, types);
  return made(Map{op, std::move(arguments)}, type);
}

Expr agg(format::ReduceOp op, Fields over, Expr of) {
  if (over.empty()) return of;
  [[maybe_unused]] const bool logical = op == format::ReduceOp::any || op == format::ReduceOp::all;
  assert(logical == format::is_boolean(of->type) && !format::is_arg(op) && op != format::ReduceOp::user);
  assert(is_idempotent(op) || format::is_floating(of->type) || format::size_of(of->type) == 8);
  const ScalarType type = of->type;
  return made(Agg{op, as_set(std::move(over)), std::move(of)}, type);
}

Expr arg(format::ReduceOp op, Field over, Expr of) {
  assert(format::is_arg(op));
  return made(Arg{op, over, std::move(of)}, ScalarType::i64);
}

Expr shape(Shape node) {
  const ScalarType type = node.parts.front()->type;
  return made(std::move(node), type);
}

Expr cast(ScalarType type, Expr operand) {
  if (operand->type == type) return operand;
  if (const auto* known = operand.as<Const>()) return constant(format::cast(type, known->value));
  return map(Cast{type}, {std::move(operand)});
}

std::vector<Expr> children(const Expr& expr) {
  return expr.match([](const Table&) { return std::vector<Expr>(); }, [](const Const&) { return std::vector<Expr>(); },
                    [](const Map& m) { return m.arguments; }, [](const Agg& a) { return std::vector{a.of}; },
                    [](const Arg& a) { return std::vector{a.of}; }, [](const Shape& s) { return s.parts; });
}

Expr with_children(const Expr& expr, const std::vector<Expr>& changed) {
  const std::vector<Expr> old = children(expr);
  if (std::ranges::equal(old, changed, [](const Expr& a, const Expr& b) { return a.same(b); })) return expr;
  return expr.match([&](const Table&) { return expr; }, [&](const Const&) { return expr; },
                    [&](const Map& m) { return map(m.op, changed); },
                    [&](const Agg& a) { return agg(a.op, a.over, changed[0]); },
                    [&](const Arg& a) { return arg(a.op, a.over, changed[0]); },
                    [&](const Shape& s) {
                      Shape other = s;
                      other.parts = changed;
                      return shape(std::move(other));
                    });
}

Expr map_children(const Expr& expr, text::FunctionRef<Expr(const Expr&)> change) {
  std::vector<Expr> changed;
  for (const Expr& child : children(expr)) changed.push_back(change(child));
  return with_children(expr, changed);
}

bool depends_on(const Expr& expr, const Field& field) { return std::ranges::binary_search(expr->fields, field); }

std::int64_t count_nodes(const Expr& expr) {
  std::int64_t count = 1;
  for (const Expr& child : children(expr)) count += count_nodes(child);
  return count;
}

namespace {

class Renaming {
 public:
  explicit Renaming(const std::vector<std::pair<Field, Field>>& names) : names_(names) {}

  Expr of(const Expr& expr) {
    const Expr inner = map_children(expr, [&](const Expr& child) { return of(child); });
    return inner.match([&](const Table& t) { return table(t.name, t.type, t.fill, all(t.fields)); },
                       [&](const Agg& a) { return agg(a.op, all(a.over), a.of); },
                       [&](const Arg& a) { return arg(a.op, one(a.over), a.of); },
                       [&](const Shape& s) {
                         Shape other = s;
                         other.from = all(s.from);
                         other.to = all(s.to);
                         return shape(std::move(other));
                       },
                       [&](const auto&) { return inner; });
  }

 private:
  Field one(const Field& field) {
    for (const auto& [from, to] : names_)
      if (from == field) return to;
    return names_.emplace_back(field, fresh_field(field.size)).second;
  }
  std::vector<Field> all(const std::vector<Field>& fields) {
    std::vector<Field> result;
    for (const Field& field : fields) result.push_back(one(field));
    return result;
  }
  std::vector<std::pair<Field, Field>> names_;
};

struct NodeHash {
  std::size_t operator()(const Expr& expr) const { return expr->hash; }
};

}  // namespace

Expr renamed(const Expr& expr, const std::vector<std::pair<Field, Field>>& names) { return Renaming(names).of(expr); }

Expr shared(const Expr& expr) {
  std::unordered_map<Expr, Expr, NodeHash> known;
  std::function<Expr(const Expr&)> share = [&](const Expr& e) -> Expr {
    if (const auto found = known.find(e); found != known.end()) return found->second;
    const Expr one = map_children(e, share);
    known.emplace(e, one);
    return one;
  };
  return share(expr);
}

}  // namespace trellis::lazy
