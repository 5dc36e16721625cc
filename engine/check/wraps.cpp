#include "engine/check/wraps.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "engine/check/machine.hpp"
#include "engine/tensor/for_each_entry.hpp"

namespace trellis::check {

namespace wraps {
namespace {

using format::BinaryOp;
using format::ReduceOp;
using format::ScalarType;
using format::Value;
using lang::Expr;

bool is_narrow(ScalarType type) { return format::is_integer(type) && format::size_of(type) < 8; }

Expr wide_node(auto node, const Expr& like) {
  return Expr(lang::ExprNode{std::move(node), ScalarType::i64, like->span}, like.origin(), like.id());
}

/// What the resolver added, so that a value fits its place; the program's own has the width of its name.
bool is_implicit(const Expr& e, const lang::Cast& cast) { return e->span == cast.operand->span; }

/// The same in 64 bits, as far as what it is made of is not narrow by itself.
Expr widened(const Expr& e) {
  if (!is_narrow(e->type)) return e;
  if (const auto* c = e.as<lang::Constant>())
    return wide_node(lang::Constant{Value::of_integer(ScalarType::i64, c->value.integer)}, e);
  if (const auto* c = e.as<lang::Cast>(); c && is_implicit(e, *c)) {
    const Expr inner = widened(c->operand);
    return format::is_integer(inner->type) ? lang::cast(ScalarType::i64, inner) : lang::cast(ScalarType::i64, e);
  }
  if (const auto* b = e.as<lang::Binary>(); b && !format::is_comparison(b->op) && b->op != BinaryOp::power &&
                                            b->op != BinaryOp::shift_left && b->op != BinaryOp::shift_right)
    return wide_node(lang::Binary{b->op, widened(b->left), widened(b->right)}, e);
  if (const auto* u = e.as<lang::Unary>(); u && u->op == format::UnaryOp::negate)
    return wide_node(lang::Unary{u->op, widened(u->operand)}, e);
  if (const auto* s = e.as<lang::Select>())
    return wide_node(lang::Select{s->condition, widened(s->then), widened(s->otherwise)}, e);
  if (const auto* c = e.as<lang::Call>()) {
    lang::Call call{c->function, {}};
    for (const Expr& argument : c->arguments) call.arguments.push_back(widened(argument));
    return wide_node(std::move(call), e);
  }
  const auto* r = e.as<lang::Reduce>();
  if (r && r->op != ReduceOp::user && !format::is_arg(r->op))
    return wide_node(lang::Reduce{r->op, r->domain, widened(r->body), r->function}, e);
  return lang::cast(ScalarType::i64, e);
}

struct Interval {
  double low, high;
  bool within(const Interval& other) const { return low >= other.low && high <= other.high; }
};

constexpr double anything = std::numeric_limits<double>::infinity();

Interval of_type(ScalarType type) {
  if (!is_narrow(type)) return {-anything, anything};
  return {format::lowest(type).as_double(), format::highest(type).as_double()};
}

Interval joined_ends(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

/// Between which values a widened expression lies, as types tell.
Interval reach_of(const Expr& e) {
  if (const auto* c = e.as<lang::Constant>()) return {c->value.as_double(), c->value.as_double()};
  if (const auto* c = e.as<lang::Cast>())
    return is_narrow(c->operand->type) ? of_type(c->operand->type) : reach_of(c->operand);
  if (const auto* s = e.as<lang::Select>()) return joined_ends(reach_of(s->then), reach_of(s->otherwise));
  if (const auto* r = e.as<lang::Reduce>(); r && (r->op == ReduceOp::min || r->op == ReduceOp::max))
    return reach_of(r->body);
  if (const auto* c = e.as<lang::Call>();
      c && (c->function == format::Function::min || c->function == format::Function::max)) {
    Interval all = reach_of(c->arguments.front());
    for (const Expr& argument : c->arguments) all = joined_ends(all, reach_of(argument));
    return all;
  }
  const auto* b = e.as<lang::Binary>();
  if (!b) return of_type(e->type);
  const Interval left = reach_of(b->left), right = reach_of(b->right);
  if (b->op == BinaryOp::add) return {left.low + right.low, left.high + right.high};
  if (b->op == BinaryOp::subtract) return {left.low - right.high, left.high - right.low};
  const bool divides = (b->op == BinaryOp::divide || b->op == BinaryOp::modulo) && right.low >= 1;
  if (divides && b->op == BinaryOp::modulo) return {0, right.high - 1};
  if (divides) return {std::min(left.low, 0.0), std::max(left.high, 0.0)};
  if (b->op != BinaryOp::multiply || !std::isfinite(left.low + left.high + right.low + right.high))
    return of_type(e->type);
  const double ends[] = {left.low * right.low, left.low * right.high, left.high * right.low, left.high * right.high};
  return {*std::ranges::min_element(ends), *std::ranges::max_element(ends)};
}

/// Only the equations whose results may wrap.
lang::Kernel wide_kernel(const lang::Program& program, const lang::Kernel& kernel) {
  lang::Kernel wide = kernel;
  if (kernel.loops || !kernel.timesteps.empty()) wide.equations.clear();
  std::erase_if(wide.equations, [&](lang::Equation& equation) {
    const ScalarType type = program.tensor(equation.access().tensor)->type;
    if (!is_narrow(type)) return true;
    equation.right = widened(equation.right);
    return reach_of(equation.right).within(of_type(type));
  });
  return wide;
}

class Search {
 public:
  Search(const lang::Program& program, const lang::Kernel& wide, const State& before,
         const std::map<std::string, tensor::Tensor>& after)
      : after_(after), wide_(wide), machine_(program, wide, before, Machine::Purpose::single_elements) {
    machine_.adopt(after);
  }

  std::optional<Wrap> run(std::int64_t most) {
    for (const int number : machine_.results()) {
      std::vector<tensor::Index> stored;
      if (const auto kept = after_.find(machine_.name(number)); kept != after_.end() && !kept->second.dense())
        tensor::for_each_entry(kept->second,
                               [&](const tensor::Index& index, const Value&) { stored.push_back(index); });
      const tensor::Tensor& result = machine_.tensor(number);
      const std::int64_t count = stored.empty() ? result.count() : std::ssize(stored);
      const std::int64_t step = std::max<std::int64_t>(1, count / std::max<std::int64_t>(1, most));
      const auto each = [&](auto&& visit) {
        std::int64_t at = 0;
        if (!stored.empty()) {
          for (const tensor::Index& index : stored)
            if (!visit(index, at++)) return;
        } else {
          each_index(result.shape(), [&](const tensor::Index& index) { return visit(index, at++); });
        }
      };
      if (step > 1) near_the_ends(number, most, each);
      if (!found_)
        each([&](const tensor::Index& index, std::int64_t at) { return at % step != 0 || fits(number, index); });
      if (found_ || machine_.problem()) break;
    }
    return machine_.problem() ? std::nullopt : std::move(found_);
  }

 private:
  void near_the_ends(int number, std::int64_t most, const auto& each) {
    const ScalarType type = machine_.tensor(number).type();
    const std::int64_t low = format::lowest(type).integer, high = format::highest(type).integer;
    const std::int64_t margin = (high - low) / 16;
    std::int64_t tried = 0;
    each([&](const tensor::Index& index, std::int64_t) {
      const std::int64_t value = machine_.tensor(number).get(index).integer;
      const bool near = value != 0 && (value < low + margin || value > high - margin);
      return !near || (fits(number, index) && ++tried < most);
    });
  }

  /// False ends the search.
  bool fits(int number, const tensor::Index& index) {
    const auto right = machine_.recompute(number, index);
    if (machine_.problem()) return false;
    if (!right) return true;
    const Value got = machine_.tensor(number).get(index);
    const std::int64_t value = right->rounded.value.integer;
    const bool empty =
        value == std::numeric_limits<std::int64_t>::min() || value == std::numeric_limits<std::int64_t>::max();
    if (value == got.integer || empty) return true;
    found_ =
        Wrap{machine_.name(number), index, got, value, wide_.equations[static_cast<std::size_t>(right->equation)].span};
    return false;
  }

  const std::map<std::string, tensor::Tensor>& after_;
  const lang::Kernel& wide_;
  Machine machine_;
  std::optional<Wrap> found_;
};

}  // namespace
}  // namespace wraps

std::optional<Wrap> find_wrap(const lang::Program& program, const lang::Kernel& kernel, const State& before,
                              const std::map<std::string, tensor::Tensor>& after, double terms) {
  const lang::Kernel wide = wraps::wide_kernel(program, kernel);
  if (wide.equations.empty()) return std::nullopt;
  double elements = 0;
  for (const auto& [name, tensor] : after) elements += static_cast<double>(tensor.count());
  const double each = std::max(1.0, estimate_terms(program, kernel, before) / std::max(1.0, elements));
  State left = before;  // what other equations read is what the kernel made
  for (const auto& [name, tensor] : after) left.tensors[name] = tensor;
  return wraps::Search(program, wide, left, after).run(static_cast<std::int64_t>(std::max(1.0, terms / each)));
}

}  // namespace trellis::check
