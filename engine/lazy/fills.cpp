#include "engine/lazy/fills.hpp"

#include <unordered_map>

#include "engine/lazy/operation.hpp"

namespace trellis::lazy {

using format::BinaryOp;
using format::ReduceOp;
using format::Value;

Value repeated(ReduceOp op, const Value& value, std::int64_t size) {
  if (size == 0) return format::identity(op, value.type);
  if (is_idempotent(op)) return value;
  const Value count = format::is_floating(value.type) ? Value::of(value.type, static_cast<double>(size))
                                                      : Value::of_integer(value.type, size);
  return value_of(op == ReduceOp::sum ? BinaryOp::multiply : BinaryOp::power, {value, count});
}

namespace {

class Fills {
 public:
  Value of(const Expr& expr) {
    if (const auto found = known_.find(&*expr); found != known_.end()) return found->second;
    const Value value = computed(expr);
    known_.emplace(&*expr, value);
    return value;
  }

 private:
  Value computed(const Expr& expr) {
    return expr.match([](const Table& t) { return t.fill; }, [](const Const& c) { return c.value; },
                      [&](const Map& m) { return of_map(m); },
                      [&](const Agg& a) {
                        // Field by field: no product of sizes needs to fit an integer.
                        Value value = of(a.of);
                        for (const Field& field : a.over) value = repeated(a.op, value, field.size);
                        return value;
                      },
                      // All are equal, and the first of them is the best.
                      [](const Arg& a) { return Value::of_integer(format::ScalarType::i64, a.over.size > 0 ? 0 : -1); },
                      // What other parts have instead is stored.
                      [&](const Shape& s) { return of(s.parts.front()); });
  }

  Value of_map(const Map& map) {
    std::vector<Value> values;
    std::vector<format::ScalarType> types;
    for (const Expr& argument : map.arguments) {
      values.push_back(of(argument));
      types.push_back(argument->type);
    }
    for (const auto& constant : deciding(map.op, types))
      if (values[static_cast<std::size_t>(constant.position)] == constant.value) return constant.result;
    return value_of(map.op, values);
  }

  std::unordered_map<const ExprNode*, Value> known_;
};

bool reduces_to_other(const Agg& a) {
  // 0 added up and 1 multiplied stay what they are, and so does whatever min, max, any and all meet again. None at all
  // give the identity, which counts as a value like others: sizes 0 are no reason to store everything.
  return !is_idempotent(a.op) && !(fill_of(a.of) == format::identity(a.op, a.of->type));
}

}  // namespace

Value fill_of(const Expr& expr) { return Fills().of(expr); }

bool fill_is_fixed(const Expr& expr) {
  if (const auto* a = expr.as<Agg>(); a && reduces_to_other(*a)) return false;
  for (const Expr& child : children(expr))
    if (!fill_is_fixed(child)) return false;
  return true;
}

}  // namespace trellis::lazy
