#include "engine/cost/operations.hpp"

#include <algorithm>

namespace trellis::cost {
namespace {

using flow::Expr;

bool is_constant(const Expr& e) { return e.as<flow::Constant>() != nullptr; }

double of(const flow::Binary& b, const Expr& e) {
  const bool divides = b.op == format::BinaryOp::divide || b.op == format::BinaryOp::modulo;
  if (divides && format::is_floating(e->type)) return cycles::division;
  // By a constant it is multiplied and shifted.
  if (divides) return is_constant(b.right) ? 4 * cycles::operation : cycles::integer_division;
  if (b.op != format::BinaryOp::power) return cycles::operation;
  const auto* exponent = b.right.as<flow::Constant>();
  return exponent && format::small_power(exponent->value) ? 2 * cycles::operation : 2 * cycles::library;
}

/// A call into the mathematical library, rather than an instruction or two.
bool is_library(format::Function function) {
  using enum format::Function;
  const auto instructions = {sqrt, abs, sign, min, max, floor, ceil, trunc, fma};
  return std::ranges::find(instructions, function) == instructions.end();
}

double of(const flow::Call& c) {
  if (is_library(c.function)) return cycles::library;
  if (c.function == format::Function::sqrt) return cycles::root;
  return cycles::operation * static_cast<double>(std::max<std::size_t>(1, c.arguments.size() - 1));
}

double of(const flow::Apply& a, const flow::Flow& flow) {
  const auto function = std::ranges::find(flow.functions, a.function, &flow::Function::name);
  if (function == flow.functions.end()) return cycles::operation;
  double sum = operation_cycles(function->result, flow);
  flow::for_each_stmt(function->body, [&](const flow::Stmt& s) {
    if (const auto* assign = s.as<flow::Assign>()) sum += cycles::operation + operation_cycles(assign->value, flow);
  });
  return sum;
}

}  // namespace

double operation_cycles(const Expr& expr, const flow::Flow& flow) {
  double sum = 0;
  if (const auto* b = expr.as<flow::Binary>()) sum += of(*b, expr);
  if (const auto* c = expr.as<flow::Call>()) sum += of(*c);
  if (const auto* a = expr.as<flow::Apply>()) sum += of(*a, flow);
  if (expr.as<flow::Unary>() || expr.as<flow::Select>() || expr.as<flow::Cast>()) sum += cycles::operation;
  // Addresses of elements are counted up from iteration to iteration.
  if (expr.as<flow::Value>()) return sum;
  flow::for_each_child(expr, [&](const Expr& child) { sum += operation_cycles(child, flow); });
  return sum;
}

bool is_scalar_only(const Expr& expr) {
  bool found = expr.as<flow::Apply>() != nullptr;
  if (const auto* c = expr.as<flow::Call>()) found |= is_library(c->function);
  if (const auto* b = expr.as<flow::Binary>()) found |= of(*b, expr) >= cycles::integer_division;
  flow::for_each_child(expr, [&](const Expr& child) { found |= is_scalar_only(child); });
  return found;
}

}  // namespace trellis::cost
