// Expressions of loop programs as closures.

#include <cmath>

#include "engine/check/loop_machine.hpp"
#include "engine/check/shapes.hpp"
#include "engine/math/division.hpp"

namespace trellis::check {

using format::BinaryOp;
using format::ScalarType;
using format::Value;
using lang::Expr;
using math::Affine;

namespace {

Evaluate constant(const Value& value) {
  return [value](LoopState& s) {
    s.certainty = Certainty::constant;
    return value;
  };
}

}  // namespace

Evaluate LoopCompiler::compile(const Expr& e) {
  return e.match(
      [&](const lang::Constant& c) -> Evaluate { return constant(c.value); },
      [&](const lang::Parameter& p) -> Evaluate { return constant(format::cast(e->type, values_.at(p.name))); },
      [&](const lang::Variable& v) -> Evaluate {
        return [slot = static_cast<std::size_t>(variables_.at(v.name))](LoopState& s) {
          s.certainty = Certainty::computed;
          return s.variables[slot];
        };
      },
      [&](const lang::Access& a) -> Evaluate {
        return
            [at = locate(a, e->span), slot = static_cast<std::size_t>(tensor(a.tensor)), type = e->type](LoopState& s) {
              const std::int64_t offset = at(s);
              const std::vector<bool>& absent = s.absent[slot];
              s.certainty = offset >= 0 && !absent.empty() && absent[static_cast<std::size_t>(offset)]
                                ? Certainty::absent
                                : Certainty::computed;
              return offset < 0 ? Value::of_integer(type, 0) : s.tensors[slot].get_flat(offset);
            };
      },
      [&](const lang::Unary& u) -> Evaluate {
        return [operand = compile(u.operand), op = u.op](LoopState& s) { return format::apply(op, operand(s)); };
      },
      [&](const lang::Binary& b) { return binary(e, b); },
      [&](const lang::Select& c) -> Evaluate {
        return
            [condition = compile(c.condition), then = compile(c.then), otherwise = compile(c.otherwise)](LoopState& s) {
              const Value value = condition(s).is_true() ? then(s) : otherwise(s);
              s.certainty = Certainty::computed;
              return value;
            };
      },
      [&](const lang::Cast& c) -> Evaluate {
        return [operand = compile(c.operand), type = e->type](LoopState& s) { return format::cast(type, operand(s)); };
      },
      [&](const lang::Call& c) -> Evaluate {
        std::vector<Evaluate> arguments;
        for (const Expr& argument : c.arguments) arguments.push_back(compile(argument));
        return [arguments, function = c.function](LoopState& s) {
          std::vector<Value> values;
          Certainty all = Certainty::constant;
          std::optional<Value> decided;
          for (const Evaluate& argument : arguments) {
            values.push_back(argument(s));
            if (s.certainty == Certainty::absent && !decided) decided = annihilated(function, values.back());
            all = both(all, s.certainty);
          }
          s.certainty = decided ? Certainty::absent : all;
          return decided ? *decided : format::apply(function, values.data(), static_cast<int>(values.size()));
        };
      },
      [&](const lang::Apply& a) { return apply(a); }, [&](const lang::Reduce& r) { return reduce(e, r); },
      [&](const lang::Shape& shape) { return this->shape(e, shape); },
      // Whatever it is, the loops compute the same.
      [&](const lang::Stored&) { return constant(Value::of_integer(e->type, 1)); });
}

Evaluate LoopCompiler::shape(const Expr& e, const lang::Shape& shape) {
  const ShapePlaces places(shape, [&](const Affine& form) { return form.substitute(sizes_).constant; });
  std::vector<Evaluate> to, parts;
  for (const Expr& index : shape.to) to.push_back(compile(index));
  const Evaluate outside = shape.outside ? compile(*shape.outside) : Evaluate();
  const auto outer = variables_;
  std::vector<std::size_t> slots;
  for (const std::string& name : shape.from) slots.push_back(static_cast<std::size_t>(add_variable(name)));
  for (const Expr& part : shape.parts) parts.push_back(compile(part));
  variables_ = outer;
  return [=, type = e->type, span = e->span, name = std::string(lang::name_of(shape.op))](LoopState& s) {
    std::vector<std::int64_t> at;
    for (const Evaluate& index : to) at.push_back(index(s).integer);
    if (!places.inside(at)) {
      s.fail("E0502", span, "there is no such element in what " + name + " makes");
      return Value::of_integer(type, 0);
    }
    const ShapePlaces::Place place = places.at(at);
    for (std::size_t k = 0; k < place.from.size(); ++k)
      s.variables[slots[k]] = Value::of_integer(ScalarType::i64, place.from[k]);
    const Value value = place.part < 0 ? outside(s) : parts[static_cast<std::size_t>(place.part)](s);
    if (parts.size() > 1 || outside) s.certainty = Certainty::computed;  // as a condition does
    return value;
  };
}

Locate LoopCompiler::locate(const lang::Access& access, text::Span span) {
  std::vector<Evaluate> indices;
  for (const Expr& index : access.indices) indices.push_back(compile(index));
  return [indices, slot = static_cast<std::size_t>(tensor(access.tensor)), name = access.tensor,
          span](LoopState& s) -> std::int64_t {
    tensor::Index index;
    for (const Evaluate& one : indices) index.push_back(one(s).integer);
    if (s.problem) return -1;
    const tensor::Tensor& t = s.tensors[slot];
    if (t.in_range(index)) return t.offset(index);
    s.fail("E0502", span,
           "there is no " + text::element_text(name, index) + " in " + text::element_text(name, t.shape()));
    return -1;
  };
}

Evaluate LoopCompiler::binary(const Expr& e, const lang::Binary& b) {
  const Evaluate left = compile(b.left), right = compile(b.right);
  if (b.op == BinaryOp::logical_and)
    return [=](LoopState& s) { return left(s).is_true() ? right(s) : Value::truth(false); };
  if (b.op == BinaryOp::logical_or)
    return [=](LoopState& s) { return left(s).is_true() ? Value::truth(true) : right(s); };
  return [=, op = b.op, span = e->span](LoopState& s) {
    const Value x = left(s);
    const Certainty first = s.certainty;
    const Value y = right(s);
    const Certainty second = s.certainty;
    for (const int position : {0, 1}) {
      if ((position == 0 ? first : second) != Certainty::absent) continue;
      s.certainty = Certainty::absent;
      if (const auto decided = annihilated(op, position, position == 0 ? x : y)) return *decided;
    }
    s.certainty = both(first, second);
    format::Fault fault = format::Fault::none;
    const Value result = format::apply(op, x, y, fault);
    if (fault == format::Fault::division_by_zero) s.fail("E0502", span, "integer division by zero");
    if (fault == format::Fault::division_overflow) s.fail("E0502", span, "the smallest integer is divided by -1");
    return result;
  };
}

// ---- reductions --------------------------------------------------------------------------------------------------

std::function<std::int64_t(const LoopState&)> LoopCompiler::form(const Affine& affine) const {
  const Affine known = affine.substitute(sizes_);
  return [known, slots = variables_](const LoopState& s) {
    return known
        .evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
          return s.variables[static_cast<std::size_t>(slots.at(name))].integer;
        })
        .value();
  };
}

std::function<bool(const LoopState&)> LoopCompiler::holds(const std::vector<math::Constraint>& constraints) const {
  return [constraints, slots = variables_](const LoopState& s) {
    const auto value = [&](const std::string& name) -> std::optional<std::int64_t> {
      return s.variables[static_cast<std::size_t>(slots.at(name))].integer;
    };
    for (const math::Constraint& c : constraints)
      if (!c.holds(value).value()) return false;
    return true;
  };
}

namespace {

/// A level of a nest, ready to run.
struct Range {
  using Form = std::function<std::int64_t(const LoopState&)>;
  std::size_t slot = 0;
  std::vector<std::pair<Form, std::int64_t>> lower, upper;
  std::function<bool(const LoopState&)> conditions;
};

template <class Visit>
void walk(LoopState& s, const std::vector<Range>& ranges, std::size_t depth, text::Span span, Visit&& visit) {
  if (depth == ranges.size()) return visit();
  const Range& range = ranges[depth];
  std::int64_t low = INT64_MIN, high = INT64_MAX;
  for (const auto& [form, divisor] : range.lower) low = std::max(low, -math::floor_div(-form(s), divisor));
  for (const auto& [form, divisor] : range.upper) high = std::min(high, math::floor_div(form(s), divisor));
  for (std::int64_t at = low; at <= high && s.step(span); ++at) {
    s.variables[range.slot] = Value::of_integer(ScalarType::i64, at);
    if (range.conditions(s)) walk(s, ranges, depth + 1, span, visit);
  }
}

}  // namespace

Evaluate LoopCompiler::reduce(const Expr& e, const lang::Reduce& r) {
  const auto outer = variables_;
  const Nest nest = nest_of(r.domain, sizes_);
  const auto possible = holds(nest.conditions);
  std::vector<Range> ranges;
  for (const Level& level : nest.levels) {
    Range range;
    for (const Bound& b : level.lower) range.lower.emplace_back(form(b.form), b.divisor);
    for (const Bound& b : level.upper) range.upper.emplace_back(form(b.form), b.divisor);
    range.slot = static_cast<std::size_t>(add_variable(level.variable));
    range.conditions = holds(level.conditions);
    ranges.push_back(std::move(range));
  }
  const Evaluate body = compile(r.body);
  variables_ = outer;
  if (r.op == format::ReduceOp::user) {
    const Value start = *program_.function(r.function)->identity();
    const std::string names[] = {"so far'", "term'"};
    const auto so_far = static_cast<std::size_t>(add_variable(names[0])),
               term = static_cast<std::size_t>(add_variable(names[1]));
    lang::Apply applied{r.function, {}};
    for (const std::string& name : names)
      applied.arguments.push_back(Expr(lang::ExprNode{lang::Variable{name}, e->type, {}}));
    const Evaluate combined = apply(applied);
    variables_ = outer;
    return [=, span = e->span](LoopState& s) {
      Value result = start;
      const auto visit = [&] {
        const Value next = body(s);
        s.variables[so_far] = result;
        s.variables[term] = next;
        result = combined(s);
      };
      if (possible(s)) walk(s, ranges, 0, span, visit);
      s.certainty = Certainty::computed;
      return result;
    };
  }
  if (!format::is_arg(r.op)) {
    return [=, op = r.op, start = format::identity(r.op, e->type), span = e->span](LoopState& s) {
      Value result = start;
      if (possible(s)) walk(s, ranges, 0, span, [&] { result = format::combine(op, result, body(s)); });
      s.certainty = Certainty::computed;
      return result;
    };
  }
  const BinaryOp better = r.op == format::ReduceOp::argmin ? BinaryOp::less : BinaryOp::greater;
  return [=, span = e->span](LoopState& s) {
    std::int64_t index = -1;
    Value best;
    const auto visit = [&] {
      const Value next = body(s);
      format::Fault fault = format::Fault::none;
      if (index < 0 ? std::isnan(next.real) : !format::apply(better, next, best, fault).is_true()) return;
      best = next;
      index = s.variables[ranges.front().slot].integer;
    };
    if (possible(s)) walk(s, ranges, 0, span, visit);
    s.certainty = Certainty::computed;
    return Value::of_integer(ScalarType::i64, index);
  };
}

// ---- functions of the user ---------------------------------------------------------------------------------------

Perform LoopCompiler::compile(const std::vector<lang::FunctionStep>& steps) {
  std::vector<Perform> all;
  for (const lang::FunctionStep& step : steps)
    all.push_back(step.match(
        [&](const lang::FunctionAssign& a) -> Perform {
          return [value = compile(a.value), slot = static_cast<std::size_t>(variables_.at(a.name))](LoopState& s) {
            s.variables[slot] = value(s);
          };
        },
        [&](const lang::FunctionWhile& w) -> Perform {
          return [condition = compile(w.condition), body = compile(w.body), span = step->span](LoopState& s) {
            while (s.step(span) && condition(s).is_true()) body(s);
          };
        },
        [&](const lang::FunctionIf& i) -> Perform {
          return [condition = compile(i.condition), then = compile(i.then),
                  otherwise = compile(i.otherwise)](LoopState& s) { (condition(s).is_true() ? then : otherwise)(s); };
        }));
  return [all](LoopState& s) {
    for (const Perform& one : all)
      if (!s.problem) one(s);
  };
}

Evaluate LoopCompiler::apply(const lang::Apply& a) {
  std::vector<Evaluate> arguments;
  for (const Expr& argument : a.arguments) arguments.push_back(compile(argument));
  const lang::Function& function = *program_.function(a.function);
  const auto outer = variables_;
  std::vector<std::size_t> slots;
  for (const auto& parameter : function.parameters)
    slots.push_back(static_cast<std::size_t>(add_variable(parameter.name)));
  for (const auto& local : function.locals)
    state_.variables[static_cast<std::size_t>(add_variable(local.name))].type = local.type;
  const Perform body = compile(function.body);
  const Evaluate result = compile(function.result);
  variables_ = outer;
  return [=, &function](LoopState& s) {
    std::vector<Value> values;
    Certainty all = Certainty::constant;
    std::optional<Value> decided;
    for (const Evaluate& argument : arguments) {
      values.push_back(argument(s));
      if (s.certainty == Certainty::absent && !decided)
        decided = annihilated(function.properties, static_cast<int>(values.size()) - 1, values.back());
      all = both(all, s.certainty);
    }
    s.certainty = Certainty::absent;
    if (decided) return *decided;
    for (std::size_t k = 0; k < values.size(); ++k) s.variables[slots[k]] = values[k];
    body(s);
    const Value value = result(s);
    s.certainty = all;
    return value;
  };
}

}  // namespace trellis::check
