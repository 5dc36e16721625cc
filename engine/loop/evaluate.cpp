#include <algorithm>

#include "engine/lang/function_apply.hpp"
#include "engine/loop/machine.hpp"

namespace trellis::loop {

namespace {

using format::BinaryOp;
using format::Value;

constexpr std::int64_t most_steps = 100000000;  ///< of one application of a function

/// A name that the bindings lack becomes a fault when it is used, so that unused ones do no harm.
Evaluate unbound(const std::string& what, const Expr& expr) {
  return [what, span = expr->span, type = expr->type](Machine& m) {
    m.fail({FaultKind::unbound, span, what, -1, {}, "", {}});
    return Value::of_integer(type, 0);
  };
}

Evaluate compile_binary(const Expr& expr, const lang::Binary& b, const Names& names) {
  Evaluate left = compile(b.left, names);
  Evaluate right = compile(b.right, names);
  if (b.op == BinaryOp::logical_and) {
    return [left, right](Machine& m) { return left(m).is_true() ? right(m) : Value::truth(false); };
  }
  if (b.op == BinaryOp::logical_or) {
    return [left, right](Machine& m) { return left(m).is_true() ? Value::truth(true) : right(m); };
  }
  return [left, right, op = b.op, span = expr->span](Machine& m) {
    const Value x = left(m);
    const Value y = right(m);
    format::Fault fault = format::Fault::none;
    const Value result = format::apply(op, x, y, fault);
    if (fault == format::Fault::division_by_zero) {
      m.fail({FaultKind::division_by_zero, span, "integer division by zero", -1, {}, "", {}});
    } else if (fault == format::Fault::division_overflow) {
      m.fail({FaultKind::division_overflow, span, "the quotient does not fit its type", -1, {}, "", {}});
    }
    return result;
  };
}

Evaluate compile_access(const Expr& expr, const lang::Access& access, const Names& names) {
  auto cell = names.cells.find(access.tensor);
  if (cell == names.cells.end()) return unbound("no tensor " + access.tensor + " is bound", expr);
  Indices indices = compile_indices(access, names);
  return [indices, slot = cell->second, span = expr->span](Machine& m) {
    tensor::Index index;
    indices(m, index);
    return m.read(slot, index, span);
  };
}

Evaluate compile_call(const lang::Call& call, const Names& names) {
  std::vector<Evaluate> arguments;
  for (const Expr& argument : call.arguments) arguments.push_back(compile(argument, names));
  return [arguments, function = call.function](Machine& m) {
    std::vector<Value> values;
    values.reserve(arguments.size());
    for (const Evaluate& argument : arguments) values.push_back(argument(m));
    return format::apply(function, values.data(), static_cast<int>(values.size()));
  };
}

Evaluate compile_application(const Expr& expr, const lang::Apply& apply, const Names& names) {
  const auto known = [&](const lang::Function& f) { return f.name == apply.function; };
  if (!names.functions || std::none_of(names.functions->begin(), names.functions->end(), known))
    return unbound("no function " + apply.function, expr);
  std::vector<Evaluate> arguments;
  for (const Expr& argument : apply.arguments) arguments.push_back(compile(argument, names));
  const lang::Function& function = lang::function_named(*names.functions, apply.function);
  return [arguments, function, &functions = *names.functions, span = expr->span](Machine& m) {
    std::vector<Value> values;
    for (const Evaluate& argument : arguments) values.push_back(argument(m));
    const lang::Applied applied = lang::apply(function, values, functions, most_steps);
    if (applied.end == lang::Applied::End::division)
      m.fail({FaultKind::division_by_zero, span, "integer division by zero", -1, {}, "", {}});
    if (applied.end == lang::Applied::End::endless)
      m.fail({FaultKind::endless,
              span,
              function.definition + " takes more than " + std::to_string(most_steps) + " steps",
              -1,
              {},
              "",
              {}});
    return applied.end == lang::Applied::End::finished ? applied.value : Value::of_integer(function.result->type, 0);
  };
}

}  // namespace

Evaluate compile(const Expr& expr, const Names& names) {
  return expr.match([&](const lang::Constant& c) -> Evaluate { return [value = c.value](Machine&) { return value; }; },
                    [&](const lang::Parameter& p) -> Evaluate {
                      auto found = names.parameters->find(p.name);
                      if (found == names.parameters->end()) return unbound("no value for parameter " + p.name, expr);
                      return [value = format::cast(expr->type, found->second)](Machine&) { return value; };
                    },
                    [&](const lang::Variable& v) -> Evaluate {
                      auto found = names.variables.find(v.name);
                      if (found == names.variables.end()) return unbound("no variable " + v.name + " is bound", expr);
                      return [slot = found->second](Machine& m) { return m.variables[slot]; };
                    },
                    [&](const lang::Access& a) { return compile_access(expr, a, names); },
                    [&](const lang::Unary& u) -> Evaluate {
                      return [operand = compile(u.operand, names), op = u.op](Machine& m) {
                        return format::apply(op, operand(m));
                      };
                    },
                    [&](const lang::Binary& b) { return compile_binary(expr, b, names); },
                    [&](const lang::Select& s) -> Evaluate {
                      return [condition = compile(s.condition, names), then = compile(s.then, names),
                              otherwise = compile(s.otherwise, names)](Machine& m) {
                        return condition(m).is_true() ? then(m) : otherwise(m);
                      };
                    },
                    [&](const lang::Cast& c) -> Evaluate {
                      return [operand = compile(c.operand, names), type = expr->type](Machine& m) {
                        return format::cast(type, operand(m));
                      };
                    },
                    [&](const lang::Call& c) { return compile_call(c, names); },
                    [&](const lang::Apply& a) { return compile_application(expr, a, names); },
                    [&](const lang::Reduce&) { return unbound("a reduction in a loop", expr); },
                    [&](const lang::Shape&) { return unbound("a shape operator in a loop", expr); },
                    // Whatever it is, the loops compute the same.
                    [&](const lang::Stored&) -> Evaluate {
                      return [type = expr->type](Machine&) { return Value::of_integer(type, 1); };
                    });
}

Indices compile_indices(const lang::Access& access, const Names& names) {
  std::vector<Evaluate> parts;
  for (const Expr& index : access.indices) parts.push_back(compile(index, names));
  return [parts](Machine& m, tensor::Index& into) {
    into.resize(parts.size());
    for (std::size_t d = 0; d < parts.size(); ++d) into[d] = parts[d](m).as_integer();
  };
}

}  // namespace trellis::loop
