#include <algorithm>
#include <array>
#include <cstdio>

#include "engine/format/operation.hpp"
#include "engine/lang/foreign.hpp"
#include "engine/lang/print_syntax.hpp"

namespace trellis::lang {

using namespace syntax;
using format::BinaryOp;
using text::TextBuilder;

namespace {

// How tightly an expression holds together, on the scale of format::precedence.
constexpr int select_precedence = 0;
constexpr int primary_precedence = 1000;

int precedence_of(std::string_view notation) {
  const auto op = notation == matrix_product ? BinaryOp::multiply : dotted_operator(notation);
  return op ? format::precedence(*op) : primary_precedence;
}

int precedence(const Expr& expr) {
  if (expr.as<Select>()) return select_precedence;
  if (expr.as<Unary>()) return format::unary_precedence;
  if (const auto* binary = expr.as<Binary>()) return format::precedence(binary->op);
  if (const Reference* notation = foreign(expr)) return precedence_of(notation->name.text);
  return primary_precedence;
}

/// Names and numbers joined by `+ - * / %`: what an index mostly is.
bool is_plain(const Expr& expr) {
  if (const auto* binary = expr.as<Binary>())
    return format::precedence(binary->op) >= format::precedence(BinaryOp::add) && is_plain(binary->left) &&
           is_plain(binary->right);
  if (const auto* unary = expr.as<Unary>()) return is_plain(unary->operand);
  if (const auto* reference = expr.as<Reference>()) return !reference->step && !reference->arguments;
  return expr.as<Number>() != nullptr;
}

bool is_plain(const Argument& argument) {
  return is_plain(argument.value) && (!argument.high || is_plain(*argument.high)) &&
         (!argument.step || is_plain(*argument.step)) && argument.arrow.empty();
}

class ExprPrinter {
 public:
  ExprPrinter(TextBuilder& out, Spacing spacing) : out_(out), spacing_(spacing) {}

  /// In parentheses if it binds less tightly than `least`.
  void at_least(int least, const Expr& expr) {
    const bool parentheses = precedence(expr) < least;
    if (parentheses) out_ << '(';
    whole(expr);
    if (parentheses) out_ << ')';
  }

  void whole(const Expr& expr) {
    const TextBuilder::Scope scope(out_, {text::Stage::source, expr.id()}, expr.origin());
    std::visit(*this, expr->is);
  }

  void operator()(const Number& number) { out_ << number.spelling; }
  void operator()(const Truth& truth) { out_ << (truth.value ? "true" : "false"); }
  void operator()(const Infinity&) { out_ << "inf"; }
  void operator()(const Missing&) { out_ << "missing"; }
  void operator()(const Character& character) {
    const bool visible = character.code >= ' ' && character.code <= '~';
    if (visible && character.code != '\'' && character.code != '\\') {
      out_ << '\'' << static_cast<char>(character.code) << '\'';
      return;
    }
    std::array<char, 8> escaped{};
    std::snprintf(escaped.data(), escaped.size(), "'\\x%02X'", static_cast<unsigned>(character.code));
    out_ << std::string_view(escaped.data());
  }
  void operator()(const Tuple& tuple) {
    const bool tight = std::all_of(tuple.items.begin(), tuple.items.end(), [](const Expr& e) { return is_plain(e); });
    print_tuple(out_, tuple.items, tight ? Spacing::tight : Spacing::wide);
  }
  void operator()(const Reference& reference) {
    if (is_foreign(reference.name.text) && reference.arguments) return notation(reference);
    out_ << reference.name.text;
    if (reference.step) {
      out_ << '[';
      ExprPrinter(out_, is_plain(*reference.step) ? Spacing::tight : Spacing::wide).whole(*reference.step);
      out_ << ']';
    }
    if (!reference.arguments) return;
    const auto& list = *reference.arguments;
    const bool call = format::function(reference.name.text).has_value();
    const bool tight = !call && std::all_of(list.begin(), list.end(), [](const Argument& a) { return is_plain(a); });
    out_ << '(';
    ExprPrinter inner(out_, tight ? Spacing::tight : Spacing::wide);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i) out_ << (tight ? "," : ", ");
      inner.argument(list[i]);
    }
    out_ << ')';
    if (!reference.body) return;
    out_ << '(';
    ExprPrinter(out_, Spacing::wide).whole(*reference.body);
    out_ << ')';
  }
  void operator()(const Unary& unary) {
    out_ << format::symbol(unary.op);
    at_least(format::unary_precedence, unary.operand);
  }
  void operator()(const Binary& binary) {
    const int own = format::precedence(binary.op);
    const bool power = binary.op == BinaryOp::power;
    const bool chains = !format::is_comparison(binary.op) && !power;
    at_least(power ? primary_precedence : chains ? own : own + 1, binary.left);
    const bool tight = power || spacing_ == Spacing::tight;
    out_ << (tight ? "" : " ") << format::symbol(binary.op) << (tight ? "" : " ");
    at_least(power ? format::unary_precedence : own + 1, binary.right);
  }
  void operator()(const Select& select) {
    at_least(select_precedence + 1, select.condition);
    out_ << " ? ";
    arm(select.then);
    out_ << " : ";
    arm(select.otherwise);
  }

 private:
  /// `A'`, `A @ B`.
  void notation(const Reference& reference) {
    const std::string& name = reference.name.text;
    const int own = precedence_of(name);
    const bool power = dotted_operator(name) == BinaryOp::power;
    at_least(power ? primary_precedence : own, reference.arguments->front().value);
    if (name == transposed) out_ << name;
    else out_ << ' ' << name << ' ';
    if (reference.arguments->size() < 2) return;
    at_least(power ? format::unary_precedence : own + 1, reference.arguments->at(1).value);
  }

  /// Bare comparisons as arms are an error.
  void arm(const Expr& expr) {
    const auto* binary = expr.as<Binary>();
    at_least(binary && format::is_comparison(binary->op) ? primary_precedence : select_precedence, expr);
  }

  void argument(const Argument& argument) {
    whole(argument.value);
    for (const auto& end : {argument.high, argument.step}) {
      if (!end) continue;
      out_ << ':';
      whole(*end);
    }
    if (argument.arrow.empty()) return;
    out_ << "->";
    if (argument.arrow_is_tuple) print_tuple(out_, argument.arrow, Spacing::tight);
    else whole(argument.arrow.front());
  }

  TextBuilder& out_;
  Spacing spacing_;
};

}  // namespace

void print(TextBuilder& out, const Expr& expr) { ExprPrinter(out, Spacing::wide).whole(expr); }

void print_sum(TextBuilder& out, const Expr& expr) {
  ExprPrinter(out, is_plain(expr) ? Spacing::tight : Spacing::wide).at_least(format::precedence(BinaryOp::add), expr);
}

void print_bitor(TextBuilder& out, const Expr& expr) {
  ExprPrinter(out, Spacing::wide).at_least(format::precedence(BinaryOp::bit_or), expr);
}

void print_tuple(TextBuilder& out, const std::vector<Expr>& items, Spacing spacing) {
  // Sizes and coordinates are written like indices; only the blanks between them differ.
  out << '(';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i) out << (spacing == Spacing::tight ? "," : ", ");
    ExprPrinter(out, is_plain(items[i]) ? Spacing::tight : Spacing::wide).whole(items[i]);
  }
  out << ')';
}

void print_string(TextBuilder& out, const std::string& value) {
  out << '"';
  for (const char c : value) {
    switch (c) {
      case '"': out << "\\\""; break;
      case '\\': out << "\\\\"; break;
      case '\n': out << "\\n"; break;
      case '\t': out << "\\t"; break;
      default: out << c;
    }
  }
  out << '"';
}

}  // namespace trellis::lang
