#include <algorithm>
#include <array>

#include "engine/flow/levels.hpp"
#include "engine/flow/literal_types.hpp"
#include "engine/flow/reader.hpp"

namespace trellis::flow {

namespace {

using format::BinaryOp;
using format::ScalarType;

std::optional<BinaryOp> binary_op(const Token& token) {
  for (int k = 0; k <= static_cast<int>(BinaryOp::logical_or); ++k)
    if (token.text == format::symbol(static_cast<BinaryOp>(k))) return static_cast<BinaryOp>(k);
  return std::nullopt;
}

Expr of_type(auto node, ScalarType type) { return Expr(ExprNode{std::move(node), type, {}}); }

/// Whose type is known wherever it stands.
Pending typed(Expr e) {
  const ScalarType type = e->type;
  return {type, [e = std::move(e)](ScalarType) { return e; }};
}

/// What `own_type` and its kin ask of operands; their literals are not read yet.
Expr stand_in(const Pending& pending) {
  const ScalarType type = pending.own.value_or(type_of_literals);
  return pending.own ? of_type(Name{}, type) : of_type(Constant{{type, 0, 0}}, type);
}

}  // namespace

Expr Reader::expr(ScalarType wanted) { return select().as(wanted); }

Pending Reader::select() {
  const Pending condition = binary(0);
  if (!accept("?")) return condition;
  const Pending then = select();
  expect(":");
  const Pending otherwise = select();
  const Expr asked = condition.as(type_of_literals);
  const Select shape{asked, stand_in(then), stand_in(otherwise)};
  return {own_type(of_type(shape, type_of_literals)), [=](ScalarType wanted) {
            const ScalarType type = arm_type(shape, wanted);
            return of_type(Select{asked, then.as(type), otherwise.as(type)}, type);
          }};
}

bool Reader::at_stored() const {
  if (!is("+") && !is("-")) return false;
  const std::size_t k = is("(", 1) ? 2 : 1;
  return (is("stored", k) && !is("(", k + 1)) || (is("*", k + 1) && is("stored", k + 2));
}

Pending Reader::binary(int least) {
  Pending left = unary();
  while (!at_stored()) {
    const auto op = peek().kind == Token::Kind::number ? std::nullopt : binary_op(peek());
    if (!op || format::precedence(*op) < least) return left;
    take();
    const int own = format::precedence(*op);
    const Pending right = binary(*op == BinaryOp::power ? own : own + 1);
    const Binary shape{*op, stand_in(left), stand_in(right)};
    left = {own_type(of_type(shape, ScalarType::boolean)), [=](ScalarType wanted) {
              const ScalarType type = operand_type(shape, wanted);
              return of_type(Binary{*op, left.as(type), right.as(type)}, result_type(*op, type));
            }};
  }
  return left;
}

Pending Reader::unary() {
  for (const format::UnaryOp op : {format::UnaryOp::negate, format::UnaryOp::logical_not, format::UnaryOp::bit_not}) {
    if (!is(format::symbol(op))) continue;
    const bool number = peek(1).kind == Token::Kind::number || is("inf", 1) || is("nan", 1);
    take();
    if (op == format::UnaryOp::negate && number) return literal("-");
    const Pending operand = binary(format::unary_precedence + 1);
    const bool truth = op == format::UnaryOp::logical_not;
    return {truth ? ScalarType::boolean : operand.own, [=](ScalarType wanted) {
              const Expr inner = operand.as(truth ? ScalarType::boolean : wanted);
              return of_type(Unary{op, inner}, truth ? ScalarType::boolean : inner->type);
            }};
  }
  return primary();
}

Pending Reader::literal(const std::string& sign) {
  const Token token = take();
  const std::size_t suffix = token.text.find('_');
  const std::string digits = sign + token.text.substr(0, suffix);
  const auto of = [digits, line = line().number, column = token.column](ScalarType type) {
    const auto value = format::parse_value(type, digits);
    if (!value) throw Misread(line, column, "`" + digits + "` is no " + std::string(format::name_of(type)));
    return of_type(Constant{*value}, type);
  };
  if (suffix == std::string::npos) return {std::nullopt, of};
  const auto type = format::scalar_type(token.text.substr(suffix + 1));
  if (!type) throw Misread(line().number, token.column, "`" + token.text.substr(suffix + 1) + "` is no type");
  return typed(of(*type));
}

Pending Reader::primary() {
  if (is("(")) return parenthesised();
  if (peek().kind == Token::Kind::number || is("inf") || is("nan") || peek().text.starts_with("inf_") ||
      peek().text.starts_with("nan_"))
    return literal("");
  if (is("true") || is("false"))
    return typed(of_type(Constant{format::Value::truth(take().text == "true")}, ScalarType::boolean));
  if (peek().kind != Token::Kind::name) fail_expecting("an expression");
  return named();
}

Pending Reader::parenthesised() {
  take();
  const Pending first = select();
  if (accept(";")) {
    const Pending value = select();
    expect(")");
    const Expr before = first.as(type_of_literals);
    return {value.own, [=](ScalarType wanted) {
              const Expr after = value.as(wanted);
              return of_type(After{before, after}, after->type);
            }};
  }
  if (accept("checked")) {
    expect("for");
    const std::string tensor = name("a tensor's name");
    const int level = level_of(tensor);
    expect(")");
    return typed(of_type(Checked{tensor, level, first.as(ScalarType::i64), {}}, ScalarType::i64));
  }
  expect(")");
  return first;
}

Pending Reader::named() {
  const Token token = peek();
  const std::string called = take().text;
  if (is("(")) return applied(called);
  if (const auto known = names_.find(called); known != names_.end() && !is("["))
    return typed(of_type(Name{Name::Kind::variable, called}, known->second.type));
  if (find_tensor(called)) return element_value(called);
  if (std::ranges::find(flow_.sizes, called) != flow_.sizes.end())
    return typed(trellis::flow::name(called, Name::Kind::size));
  if (std::ranges::find(flow_.reals, called) != flow_.reals.end())
    return typed(trellis::flow::name(called, Name::Kind::real));
  throw Misread(line().number, token.column, "nothing is called `" + called + "` here");
}

Pending Reader::element_value(const std::string& tensor) {
  const Tensor& t = known_tensor(tensor);
  return typed(of_type(Value{tensor, position(tensor, levels_of(t))}, t.type));
}

Pending Reader::applied(const std::string& callee) {
  const Token opening = take();
  if (callee == "here") {
    const std::string cursor = name("a cursor's name");
    const bool several = accept("…");
    expect(")");
    return typed(of_type(Here{cursor, several}, ScalarType::i64));
  }
  if (callee == "stored") {
    const std::string tensor = name("a tensor's name");
    const int level = level_of(tensor);
    expect(")");
    return typed(of_type(Stored{tensor, level}, ScalarType::i64));
  }
  if (callee == "begin") {
    int level = 0;
    Position parent;
    const std::string tensor = place(level, parent);
    expect(")");
    return typed(of_type(Begin{tensor, level, parent}, ScalarType::i64));
  }
  if (callee == "coordinate") {
    const std::string tensor = name("a tensor's name");
    const int level = level_of(tensor);
    expect("at");
    const Expr entry = expr();
    expect(")");
    return typed(of_type(Coordinate{tensor, level, entry}, ScalarType::i64));
  }
  std::vector<Pending> arguments;
  while (!is(")")) {
    arguments.push_back(select());
    if (!accept(",")) break;
  }
  expect(")");
  const auto own = std::ranges::find(flow_.functions, callee, &Function::name);
  if (own != flow_.functions.end()) {
    if (arguments.size() != own->parameters.size()) fail("`" + callee + "` has another number of operands");
    Apply apply{callee, {}};
    for (std::size_t k = 0; k < arguments.size(); ++k)
      apply.arguments.push_back(arguments[k].as(own->parameters[k].type));
    return typed(of_type(std::move(apply), own->result->type));
  }
  if (const auto type = format::scalar_type(callee); type && arguments.size() == 1)
    return typed(of_type(Cast{arguments.front().as(type_of_literals)}, *type));
  const auto function = format::function(callee);
  if (!function) throw Misread(line().number, opening.column, "there is no function `" + callee + "`");
  Call shape{*function, {}};
  for (const Pending& argument : arguments) shape.arguments.push_back(stand_in(argument));
  return {own_type(of_type(shape, type_of_literals)), [=](ScalarType wanted) {
            const ScalarType type = argument_type(shape, wanted);
            Call call{*function, {}};
            for (const Pending& argument : arguments) call.arguments.push_back(argument.as(type));
            return of_type(std::move(call), type);
          }};
}

}  // namespace trellis::flow
