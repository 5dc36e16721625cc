#pragma once
// Small control flows built by hand, and running them through a back end.

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "engine/emit/emit.hpp"
#include "engine/flow/flow.hpp"
#include "engine/run/backends.hpp"

namespace flows {

using namespace trellis;
using flow::Expr;
using flow::Position;
using flow::Stmt;
using flow::Tensor;
using format::BinaryOp;
using format::ReduceOp;
using format::ScalarType;
using format::Value;

constexpr auto operand = Tensor::Storage::operand;
constexpr auto result = Tensor::Storage::result;
constexpr auto temporary = Tensor::Storage::temporary;

inline Expr typed(ScalarType type, decltype(flow::ExprNode::is) node) {
  return Expr(flow::ExprNode{std::move(node), type, {}});
}
inline Expr size(const std::string& name) { return flow::name(name, flow::Name::Kind::size); }
inline Expr var(const std::string& name) { return flow::name(name); }
inline Expr num(std::int64_t value) { return flow::integer(value); }

inline Expr op(BinaryOp o, Expr a, Expr b) {
  const bool truth = format::is_comparison(o) || format::is_logical(o);
  const ScalarType type = truth ? ScalarType::boolean : a->type;
  return typed(type, flow::Binary{o, std::move(a), std::move(b)});
}
inline Expr operator+(Expr a, Expr b) { return op(BinaryOp::add, std::move(a), std::move(b)); }
inline Expr operator-(Expr a, Expr b) { return op(BinaryOp::subtract, std::move(a), std::move(b)); }
inline Expr operator*(Expr a, Expr b) { return op(BinaryOp::multiply, std::move(a), std::move(b)); }
inline Expr operator/(Expr a, Expr b) { return op(BinaryOp::divide, std::move(a), std::move(b)); }

inline Position at(const std::string& tensor, const std::vector<Expr>& coordinates) {
  Position p = flow::root();
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    p = Position(flow::PositionNode{flow::Direct{tensor, static_cast<int>(k), p, coordinates[k], {}}});
  }
  return p;
}
/// The position with every coordinate checked.
inline Position checked(const std::string& tensor, const std::vector<Expr>& coordinates) {
  Position p = flow::root();
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    flow::Site site{{0, 10, 14}, "index " + flow::to_string(coordinates[k]) + " of " + tensor};
    p = Position(flow::PositionNode{flow::Direct{tensor, static_cast<int>(k), p, coordinates[k], site}});
  }
  return p;
}
inline Expr get(const std::string& tensor, const std::vector<Expr>& coordinates, ScalarType type = ScalarType::f64) {
  return typed(type, flow::Value{tensor, at(tensor, coordinates)});
}

inline Stmt seq(std::vector<Stmt> statements) { return Stmt({flow::Seq{std::move(statements)}, {}}); }
inline Stmt loop(const std::string& v, Expr low, Expr high, std::vector<Stmt> body) {
  return Stmt({flow::Loop{{low, high}, {}, {}, v, seq(std::move(body))}, {}});
}
inline Stmt set(const std::string& tensor, const std::vector<Expr>& coordinates, Expr value) {
  return Stmt({flow::Assign{tensor, at(tensor, coordinates), {}, std::move(value)}, {}});
}
inline Stmt update(ReduceOp o, const std::string& tensor, const std::vector<Expr>& coordinates, Expr value) {
  return Stmt({flow::Assign{tensor, at(tensor, coordinates), o, std::move(value)}, {}});
}
inline Stmt declare(const std::string& tensor) { return Stmt({flow::Declare{tensor}, {}}); }

inline Tensor array(const std::string& name, std::vector<Expr> sizes, Tensor::Storage storage,
                    ScalarType type = ScalarType::f64) {
  Tensor t{name, type, {}, {}, storage};
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    t.levels.push_back({sizes[k]});
    t.order.push_back(static_cast<int>(k));
  }
  return t;
}

inline flow::Flow flow_of(const std::string& kernel, std::vector<std::string> sizes, std::vector<Tensor> tensors,
                          std::vector<Stmt> statements) {
  return flow::number({kernel, std::move(sizes), {}, std::move(tensors), seq(std::move(statements))});
}

inline tensor::Tensor vector(ScalarType type, const std::vector<Value>& values) {
  auto t = *tensor::Tensor::create(type, {static_cast<std::int64_t>(values.size())}, format::Format::dense(1),
                                   Value::of_integer(type, 0));
  for (std::size_t k = 0; k < values.size(); ++k) t.set_flat(static_cast<std::int64_t>(k), values[k]);
  return t;
}
inline tensor::Tensor reals(const std::vector<double>& values) {
  std::vector<Value> all;
  for (double v : values) all.push_back(Value::of(ScalarType::f64, v));
  return vector(ScalarType::f64, all);
}

inline run::Outcome execute(const emit::Module& module, const run::Bindings& bindings, run::Backend backend) {
  auto kernel = run::compile(module, backend);
  if (auto* error = std::get_if<run::CompileError>(&kernel)) {
    run::Outcome outcome;
    outcome.status = run::Outcome::Status::crashed;
    outcome.message = error->message;
    return outcome;
  }
  run::Limits limits;
  limits.seconds = 10;
  return run::execute(std::get<run::Kernel>(kernel), bindings, limits);
}

}  // namespace flows
