#include "engine/check/rounding.hpp"

#include <algorithm>
#include <vector>

namespace trellis::check {

using format::BinaryOp;
using format::ReduceOp;
using format::ScalarType;
using format::Value;

namespace {

constexpr double smallest = std::numeric_limits<double>::denorm_min();

double epsilon(ScalarType type) {
  if (type == ScalarType::f32) return std::numeric_limits<float>::epsilon();
  return format::is_floating(type) ? std::numeric_limits<double>::epsilon() : 0;
}

/// What an operation adds by its own result.
double own(const Value& value) {
  return std::isfinite(value.real) ? 2 * epsilon(value.type) * std::abs(value.real) : 0;
}

bool is_zero(const Rounded& a) { return a.value.real == 0 && a.rounding.exact(); }

/// Of integers and truths: nothing, unless an operand is undecided.
Rounding discrete(std::span<const Rounded> operands) {
  const bool exact = std::ranges::all_of(operands, [](const Rounded& o) { return o.rounding.exact(); });
  return exact ? Rounding{} : undecided;
}

Rounding discrete(const Rounded& a, const Rounded& b) {
  const Rounded both[] = {a, b};
  return discrete(both);
}

/// Not-a-number says nothing.
Rounding by(double error) { return std::isnan(error) ? undecided : Rounding{error, 0, 0}; }

/// |a| b, where b = 0 leaves nothing of an infinite a.
double times(double a, double b) { return b == 0 ? 0 : std::abs(a) * b; }

double largest_bound(std::span<const Rounded> operands) {
  double largest = 0;
  for (const Rounded& o : operands) largest = std::max(largest, o.rounding.bound());
  return largest;
}

/// Calls `use` with the operands at the ends of their ranges, each combination once.
template <class Use>
void at_the_ends(std::span<const Rounded> operands, std::vector<Value>& values, Use&& use) {
  const std::size_t at = values.size();
  if (at == operands.size()) return use();
  const auto with = [&](double change) {
    Value value = operands[at].value;
    if (format::is_floating(value.type)) value.real += change;
    values.push_back(value);
    at_the_ends(operands, values, use);
    values.pop_back();
  };
  const double bound = operands[at].rounding.bound();
  with(-bound);
  if (bound > 0) with(bound);
}

}  // namespace

bool may_change_places(const Rounded& a, const Rounded& b) {
  const double apart = a.rounding.bound() + b.rounding.bound();
  if (apart == 0) return false;
  return !format::is_floating(a.value.type) || !(std::abs(a.value.real - b.value.real) > apart);
}

Rounding of_sum(const Rounded& a, const Rounded& b) {
  if (!format::is_floating(a.value.type)) return discrete(a, b);
  if (is_zero(b)) return a.rounding;
  if (is_zero(a)) return b.rounding;
  const bool finite = std::isfinite(a.value.real) && std::isfinite(b.value.real);
  if (!finite) return a.rounding.exact() && b.rounding.exact() ? Rounding{} : undecided;
  Rounding sum;
  for (const Rounded* one : {&a, &b}) {
    const Rounding& r = one->rounding;
    sum.error += r.error;
    sum.spread += r.terms > 0 ? r.spread : epsilon(one->value.type) * std::abs(one->value.real);
    sum.terms += std::max(r.terms, 1.0);
  }
  return sum;
}

Rounding of_product(const Rounded& a, const Rounded& b) {
  if (!format::is_floating(a.value.type)) return discrete(a, b);
  if (is_zero(a) || is_zero(b)) return {};
  const double da = a.rounding.bound(), db = b.rounding.bound();
  const Value product{a.value.type, a.value.real * b.value.real, 0};
  const double inherited = times(a.value.real, db) + times(b.value.real, da) + da * db;
  return by(inherited + (da + db > 0 ? smallest : 0) + own(product));
}

Rounding of_function(std::span<const Rounded> operands, const std::function<Value(std::span<const Value>)>& f) {
  std::vector<Value> values;
  for (const Rounded& o : operands) values.push_back(o.value);
  const Value value = f(values);
  if (!std::isfinite(largest_bound(operands))) return undecided;
  values.clear();
  double error = 0;
  bool same = true;
  if (largest_bound(operands) > 0)
    at_the_ends(operands, values, [&] {
      const Value end = f(values);
      same &= end == value;
      error = std::max(error, std::abs(end.real - value.real));
      if (std::isnan(end.real) != std::isnan(value.real)) error = undecided.error;
    });
  if (format::is_floating(value.type)) return by(error + (error > 0 ? smallest : 0) + own(value));
  return same ? Rounding{} : undecided;
}

Rounding of_unary(format::UnaryOp, const Rounded& a) { return a.rounding; }

Rounding of_binary(BinaryOp op, const Rounded& a, const Rounded& b) {
  const bool floating = format::is_floating(a.value.type);
  if (format::is_comparison(op)) return may_change_places(a, b) ? undecided : Rounding{};
  if (!floating) return discrete(a, b);
  if (op == BinaryOp::add || op == BinaryOp::subtract) return of_sum(a, b);
  if (op == BinaryOp::multiply) return of_product(a, b);
  // A divisor that may as well be 0, or of the other sign, decides nothing.
  if (op == BinaryOp::divide && b.rounding.bound() >= std::abs(b.value.real) && !b.rounding.exact()) return undecided;
  const Rounded both[] = {a, b};
  return of_function(both, [&](std::span<const Value> at) {
    format::Fault ignored = format::Fault::none;
    return format::apply(op, at[0], at[1], ignored);
  });
}

Rounding of_call(format::Function function, std::span<const Rounded> operands) {
  if (function == format::Function::min || function == format::Function::max) {
    const bool floating = format::is_floating(operands.front().value.type);
    return floating ? by(largest_bound(operands)) : discrete(operands);
  }
  const auto apply = [&](std::span<const Value> at) {
    return format::apply(function, at.data(), static_cast<int>(at.size()));
  };
  Rounding rounding = of_function(operands, apply);
  // These turn: between the ends they may be farther away, but not farther than they are steep.
  if (function == format::Function::sin || function == format::Function::cos) rounding.error += largest_bound(operands);
  return rounding;
}

Rounding of_cast(ScalarType to, const Rounded& a) {
  const bool from_floating = format::is_floating(a.value.type);
  if (!from_floating) return a.rounding;
  if (format::is_floating(to)) {
    const double lost =
        epsilon(to) > epsilon(a.value.type) && !a.rounding.exact() ? epsilon(to) * std::abs(a.value.real) : 0;
    return {a.rounding.error + lost, a.rounding.spread, a.rounding.terms};
  }
  return of_function({&a, 1}, [&](std::span<const Value> at) { return format::cast(to, at[0]); });
}

Rounding of_update(ReduceOp op, const Rounded& accumulator, const Rounded& term) {
  const bool floating = format::is_floating(accumulator.value.type);
  switch (op) {
    case ReduceOp::sum: return of_sum(accumulator, term);
    case ReduceOp::prod: return of_product(accumulator, term);
    case ReduceOp::any:
    case ReduceOp::all: {
      const auto settles = [&](const Rounded& a) {
        return a.rounding.exact() && a.value.is_true() == (op == ReduceOp::any);
      };
      return settles(accumulator) || settles(term) ? Rounding{} : discrete(accumulator, term);
    }
    default: break;
  }
  if (!floating) return discrete(accumulator, term);
  return by(std::max(accumulator.rounding.bound(), term.rounding.bound()));
}

}  // namespace trellis::check
