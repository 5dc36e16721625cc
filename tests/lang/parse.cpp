#include "engine/lang/parse.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace trellis;
namespace syntax = lang::syntax;

namespace {

struct Parsed {
  text::Sources sources;
  text::Diagnostics diagnostics;
  syntax::File file;
};

Parsed parsed(const std::string& source) {
  Parsed result;
  const int number = result.sources.add("t.tr", source);
  result.file = lang::parse(result.sources, number, result.diagnostics);
  return result;
}

/// The expression with every operator in parentheses, to show how it was read.
std::string bracketed(const syntax::Expr& expr) {
  if (const auto* unary = expr.as<syntax::Unary>())
    return "(" + std::string(format::symbol(unary->op)) + bracketed(unary->operand) + ")";
  if (const auto* binary = expr.as<syntax::Binary>())
    return "(" + bracketed(binary->left) + " " + std::string(format::symbol(binary->op)) + " " +
           bracketed(binary->right) + ")";
  if (const auto* select = expr.as<syntax::Select>())
    return "(" + bracketed(select->condition) + " ? " + bracketed(select->then) + " : " + bracketed(select->otherwise) +
           ")";
  return lang::to_string(expr);
}

std::string reads_as(const std::string& expression) {
  const auto result = parsed("s = " + expression);
  REQUIRE(result.file.statements.size() == 1);
  return bracketed(result.file.statements[0].as<syntax::Equation>()->right);
}

/// Which kinds of statements a text holds: one word each.
std::string kinds(const std::string& source) {
  const auto result = parsed(source);
  CHECK(result.diagnostics.empty());
  std::string list;
  for (const auto& statement : result.file.statements)
    list += statement.match(
        [](const syntax::TensorDecl&) { return "tensor "; }, [](const syntax::ParamDecl&) { return "param "; },
        [](const syntax::RanksDecl&) { return "ranks "; }, [](const syntax::LayoutDecl&) { return "layout "; },
        [](const syntax::Definition&) { return "def "; }, [](const syntax::Equation&) { return "equation "; },
        [](const syntax::Until&) { return "until "; }, [](const syntax::Loops&) { return "loops "; },
        [](const syntax::Kernel&) { return "kernel "; }, [](const syntax::Command&) { return "command "; });
  return list;
}

}  // namespace

TEST_CASE("operators bind as the language says") {
  CHECK(reads_as("a + b * c - d") == "((a + (b * c)) - d)");
  CHECK(reads_as("-x^2") == "(-(x ^ 2))");
  CHECK(reads_as("a^b^c") == "(a ^ (b ^ c))");
  CHECK(reads_as("2^-i^2") == "(2 ^ (-(i ^ 2)))");
  CHECK(reads_as("-a * b") == "((-a) * b)");
  CHECK(reads_as("a / b % c") == "((a / b) % c)");
  CHECK(reads_as("a << b + c") == "(a << (b + c))");
  CHECK(reads_as("a | b xor c & d << e") == "(a | (b xor (c & (d << e))))");
  CHECK(reads_as("a & b == c") == "((a & b) == c)");
  CHECK(reads_as("!a == b && c < d || e") == "((((!a) == b) && (c < d)) || e)");
  CHECK(reads_as("a || b ? c : d ? e : f") == "((a || b) ? c : (d ? e : f))");
  CHECK(reads_as("a ? b ? c : d : e") == "(a ? (b ? c : d) : e)");
}

TEST_CASE("the first word and the token behind it decide what a statement is") {
  CHECK(kinds("tensor order(n)\norder(i) = 1\norder = 1\norder[0] = 1\norder i j") ==
        "tensor equation equation equation command ");
  CHECK(kinds("param n = 3; param = 3; param(i) = 3") == "param equation equation ");
  CHECK(kinds("def f(x) = x; def(i) = x(i); until t; loops { }; kernel k { }; loops = 1; kernel[0] = 2") ==
        "def equation until loops kernel equation equation ");
  CHECK(kinds("layout l: (i) -> (i) {dense}; run; show loops; load A \"x\"") == "layout command command command ");
}

TEST_CASE("a misspelt declaration is a command whose words know where they stand") {
  const auto result = parsed("tensro A(n): csr");
  CHECK(result.diagnostics.empty());
  const auto& command = *result.file.statements.at(0).as<syntax::Command>();
  CHECK(result.sources.slice(command.name.span) == "tensro");
  CHECK(command.words.size() == 6);
  for (const auto& word : command.words) CHECK(result.sources.slice(word.span) == word.text);
}

TEST_CASE("spans cover what was written, parentheses included") {
  const auto result = parsed("y(i) = (a + b) * c : i < n  # comment");
  const auto& statement = result.file.statements.at(0);
  const auto& equation = *statement.as<syntax::Equation>();
  CHECK(result.sources.slice(statement->span) == "y(i) = (a + b) * c : i < n");
  CHECK(result.sources.slice(equation.left->span) == "y(i)");
  CHECK(result.sources.slice(equation.right->span) == "(a + b) * c");
  CHECK(result.sources.slice(equation.right.as<syntax::Binary>()->left->span) == "a + b");
  CHECK(result.sources.slice(equation.constraints.at(0).span) == "i < n");
}

TEST_CASE("every node has a number of its own") {
  const auto result = parsed("y(i) = a(i)\nz(i) = a(i)");
  const auto& first = result.file.statements.at(0);
  const auto& second = result.file.statements.at(1);
  CHECK(first.as<syntax::Equation>()->right == second.as<syntax::Equation>()->right);
  CHECK(first.as<syntax::Equation>()->right.id() != second.as<syntax::Equation>()->right.id());
  CHECK(first.id() != second.id());
}

TEST_CASE("a clause starts with patterns, a property with its word") {
  const auto result =
      parsed("def f(x, y) { x, 0 => x; x => { x }; identity -1; space x | y; constant 0 at 1 => 2; idempotent }");
  REQUIRE(result.file.statements.size() == 1);
  using Part = std::variant<syntax::Clause, syntax::Property>;
  const auto& parts = std::get<std::vector<Part>>(result.file.statements[0].as<syntax::Definition>()->body);
  REQUIRE(parts.size() == 6);
  CHECK(std::get<syntax::Clause>(parts[0]).patterns.size() == 2);
  CHECK(std::get<syntax::Clause>(parts[1]).patterns.size() == 1);
  CHECK(lang::to_string(*std::get<syntax::Property>(parts[2]).value) == "-1");
  CHECK(lang::to_string(*std::get<syntax::Property>(parts[3]).value) == "x | y");
  CHECK(std::get<syntax::Property>(parts[4]).position == 1);
  CHECK_FALSE(std::get<syntax::Property>(parts[5]).value.has_value());
}

TEST_CASE("a prompt asks for more while a bracket is open") {
  CHECK(lang::is_incomplete("kernel k {"));
  CHECK(lang::is_incomplete("y(i) = max(a(i),"));
  CHECK(lang::is_incomplete("fill_with B [[1, 0],"));
  CHECK(lang::is_incomplete("loops { for i {\n s += 1 }"));
  CHECK_FALSE(lang::is_incomplete(""));
  CHECK_FALSE(lang::is_incomplete("y(i) = a(i)"));
  CHECK_FALSE(lang::is_incomplete("load A \"(\"  # ("));
  CHECK_FALSE(lang::is_incomplete("y(i) = a(i))"));
  CHECK_FALSE(lang::is_incomplete("loops { for i {\n s += 1 } }"));
}
