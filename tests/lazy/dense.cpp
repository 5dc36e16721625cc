#include "tests/lazy/dense.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace trellis::lazy {

using format::Value;
using Op = lang::Shape::Op;

Value computed(const Operator& op, const std::vector<Value>& v) {
  return std::visit(
      text::overloaded{[&](format::UnaryOp unary) { return format::apply(unary, v[0]); },
                       [&](format::BinaryOp binary) {
                         format::Fault fault = format::Fault::none;
                         return format::apply(binary, v[0], v[1], fault);
                       },
                       [&](format::Function f) { return format::apply(f, v.data(), static_cast<int>(v.size())); },
                       [&](const Cast& to) { return format::cast(to.type, v[0]); },
                       [&](const Where&) { return v[0].is_true() ? v[1] : v[2]; }},
      op);
}

namespace {

std::size_t place_of(const DenseArray& array, const At& at) {
  std::int64_t place = 0;
  for (const Field& field : array.fields) place = place * field.size + at.at(field);
  return static_cast<std::size_t>(place);
}

class Evaluator {
 public:
  explicit Evaluator(const std::map<std::string, tensor::Tensor>& tables) : tables_(tables) {}

  const DenseArray& of(const Expr& expr) {
    if (const auto found = known_.find(&*expr); found != known_.end()) return found->second;
    DenseArray array{expr->fields, expr->type, {}};
    for_each_point(expr->fields, [&](const At& at) { array.values.push_back(value(expr, at)); });
    return known_.emplace(&*expr, std::move(array)).first->second;
  }

 private:
  Value value(const Expr& expr, const At& at) {
    return expr.match(
        [&](const Table& t) {
          tensor::Index index;
          for (const Field& field : t.fields) index.push_back(at.at(field));
          return tables_.at(t.name).get(index);
        },
        [&](const Const& c) { return c.value; },
        [&](const Map& m) {
          std::vector<Value> values;
          for (const Expr& argument : m.arguments) values.push_back(element(of(argument), at));
          return computed(m.op, values);
        },
        [&](const Agg& a) {
          Value sum = format::identity(a.op, expr->type);
          for_each_point(a.over, [&](const At& inner) {
            At all = inner;
            all.insert(at.begin(), at.end());
            sum = format::combine(a.op, sum, element(of(a.of), all));
          });
          return sum;
        },
        [&](const Arg& a) {
          std::int64_t best = -1;
          Value held = Value::of_integer(a.of->type, 0);
          for (std::int64_t k = 0; k < a.over.size; ++k) {
            At all = at;
            all[a.over] = k;
            const Value next = element(of(a.of), all);
            const auto less = format::BinaryOp::less;
            const bool better = a.op == format::ReduceOp::argmin ? computed(less, {next, held}).is_true()
                                                                 : computed(less, {held, next}).is_true();
            if (best < 0 || better) best = k, held = next;
          }
          return Value::of_integer(format::ScalarType::i64, best);
        },
        [&](const Shape& s) { return moved(s, at); });
  }

  Value moved(const Shape& s, At at) {
    const std::int64_t k = at.at(s.to[0]);
    const auto part_at = [&](std::size_t part, std::int64_t coordinate) {
      at[s.from[s.op == Op::concat ? part : 0]] = coordinate;
      return element(of(s.parts[part]), at);
    };
    switch (s.op) {
      case Op::slice: return part_at(0, s.numbers[0] + s.numbers[1] * k);
      case Op::roll: {
        const std::int64_t size = s.from[0].size, back = (k - s.numbers[0]) % size;
        return part_at(0, back < 0 ? back + size : back);
      }
      case Op::pad: {
        const bool outside = k < s.numbers[0] || k >= s.numbers[0] + s.from[0].size;
        return outside ? *s.outside : part_at(0, k - s.numbers[0]);
      }
      case Op::concat: {
        std::int64_t before = 0;
        std::size_t part = 0;
        while (k >= before + s.from[part].size) before += s.from[part++].size;
        return part_at(part, k - before);
      }
      case Op::stack: return element(of(s.parts[static_cast<std::size_t>(k)]), at);
      default: break;
    }
    std::int64_t flat = 0;
    for (const Field& digit : s.to) flat = flat * digit.size + at.at(digit);
    for (std::size_t d = s.from.size(); d-- > 0;) {
      at[s.from[d]] = flat % s.from[d].size;
      flat /= s.from[d].size;
    }
    return element(of(s.parts[0]), at);
  }

  const std::map<std::string, tensor::Tensor>& tables_;
  std::map<const ExprNode*, DenseArray> known_;
};

}  // namespace

Value& element(DenseArray& array, const At& at) { return array.values[place_of(array, at)]; }
Value element(const DenseArray& array, const At& at) { return array.values[place_of(array, at)]; }

void for_each_point(const std::vector<Field>& fields, const std::function<void(const At&)>& visit) {
  tensor::Index sizes;
  for (const Field& field : fields) sizes.push_back(field.size);
  tensor::for_each_index(sizes, [&](const tensor::Index& index) {
    At at;
    for (std::size_t d = 0; d < fields.size(); ++d) at[fields[d]] = index[d];
    visit(at);
  });
}

DenseArray dense(const Expr& expr, const std::map<std::string, tensor::Tensor>& tables,
                 const std::vector<Field>& fields) {
  Evaluator evaluator(tables);
  const DenseArray& own = evaluator.of(expr);
  DenseArray array{fields, expr->type, {}};
  for_each_point(fields, [&](const At& at) { array.values.push_back(element(own, at)); });
  return array;
}

DenseArray dense(const Expr& expr, const std::map<std::string, tensor::Tensor>& tables) {
  return dense(expr, tables, expr->fields);
}

bool alike(const Value& a, const Value& b) {
  if (a == b || (std::isnan(a.real) && std::isnan(b.real))) return true;
  if (!format::is_floating(a.type)) return false;
  const double tolerance = a.type == format::ScalarType::f32 ? 1e-4 : 1e-9;
  return std::fabs(a.real - b.real) <= tolerance * std::max({1.0, std::fabs(a.real), std::fabs(b.real)});
}

bool is_finite_within(const Expr& expr, const std::map<std::string, tensor::Tensor>& tables) {
  Evaluator evaluator(tables);
  std::function<bool(const Expr&)> finite = [&](const Expr& e) {
    const std::vector<Expr> below = children(e);
    return std::ranges::all_of(below, finite) &&
           std::ranges::all_of(evaluator.of(e).values, [](const Value& v) { return std::isfinite(v.real); });
  };
  return finite(expr);
}

}  // namespace trellis::lazy
