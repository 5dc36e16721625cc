// Expressions as the language writes them, with the fewest parentheses.

#include <algorithm>
#include <utility>

#include "engine/lang/function.hpp"

namespace trellis::lang {

using format::BinaryOp;

namespace {

constexpr int select_level = 0;
constexpr int primary_level = 1000;

/// How tightly the node binds; an operand that binds less than its place asks for is put in parentheses.
int level(const Expr& expr) {
  if (expr.as<Select>()) return select_level;
  if (expr.as<Unary>()) return format::unary_precedence;
  if (const auto* b = expr.as<Binary>()) return format::precedence(b->op);
  if (const auto* c = expr.as<Constant>())
    if (c->value.real < 0 || (format::is_signed(c->value.type) && c->value.integer < 0))
      return format::unary_precedence;
  return primary_level;
}

/// Does anything in it, other than constants, fix its type when it is read back?
bool decides_type(const Expr& expr) {
  if (expr.as<Access>() || expr.as<Cast>()) return true;
  if (const auto* p = expr.as<Parameter>(); p && format::is_floating(expr->type)) return true;
  bool found = false;
  for_each_child(expr, [&](const Expr& child) { found = found || decides_type(child); });
  return found;
}

class Printer {
 public:
  Printer(text::TextBuilder& out, text::Stage stage) : out_(out), stage_(stage) {}

  void print(const Expr& expr, int least) {
    const bool parentheses = level(expr) < least;
    if (parentheses) out_ << '(';
    if (expr.id() >= 0) {
      text::TextBuilder::Scope scope(out_, {stage_, expr.id()}, expr.origin());
      node(expr);
    } else {
      node(expr);
    }
    if (parentheses) out_ << ')';
  }

 private:
  void node(const Expr& expr) {
    expr.match([&](const Constant& c) { literal(c.value); }, [&](const Parameter& p) { out_ << p.name; },
               [&](const Variable& v) { out_ << v.name; }, [&](const Access& a) { access(a); },
               [&](const Unary& u) {
                 out_ << format::symbol(u.op);
                 print(u.operand, format::unary_precedence);
               },
               [&](const Binary& b) { infix(b); }, [&](const Select& s) { select(s); },
               [&](const Cast& c) {
                 out_ << format::name_of(expr->type) << '(';
                 const bool outer = std::exchange(spell_point_, !decides_type(c.operand));
                 print(c.operand, select_level);
                 spell_point_ = outer;
                 out_ << ')';
               },
               [&](const Call& c) {
                 out_ << format::name_of(c.function);
                 list(c.arguments, ", ");
               },
               [&](const Apply& a) {
                 out_ << definition_of(a.function);
                 list(a.arguments, ", ");
               },
               [&](const Reduce& r) { reduce(r); }, [&](const Shape& shape) { print_shape(shape); },
               [&](const Stored& s) {
                 out_ << "stored(" << s.tensor << '.' << static_cast<std::int64_t>(s.level + 1) << ')';
               });
  }

  void literal(const format::Value& value) {
    std::string text = format::to_string(value);
    if (spell_point_ && format::is_floating(value.type) && text.find_first_not_of("-0123456789") == std::string::npos)
      text += ".0";
    out_ << text;
  }

  void list(const std::vector<Expr>& items, std::string_view separator) {
    out_ << '(';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i) out_ << separator;
      print(items[i], select_level);
    }
    out_ << ')';
  }

  void access(const Access& a) {
    const bool outer = std::exchange(tight_, true);
    out_ << a.tensor;
    if (a.step) {
      out_ << '[';
      print(*a.step, select_level);
      out_ << ']';
    }
    if (!a.indices.empty()) list(a.indices, ",");
    tight_ = outer;
  }

  void infix(const Binary& b) {
    const int own = format::precedence(b.op);
    const bool power = b.op == BinaryOp::power;
    const bool comparison = format::is_comparison(b.op);
    print(b.left, power ? primary_level : comparison ? own + 1 : own);
    const bool word = b.op == BinaryOp::bit_xor;
    const bool sum = b.op == BinaryOp::add || b.op == BinaryOp::subtract;
    const bool close = power || own > format::precedence(BinaryOp::add) || (tight_ && sum);
    if (word || !close) out_ << ' ';
    out_ << format::symbol(b.op);
    if (word || !close) out_ << ' ';
    print(b.right, power ? format::unary_precedence : own + 1);
  }

  void select(const Select& s) {
    // A bare comparison as an arm is an error of the language, so both arms ask for more than `|`.
    const int arm = format::precedence(BinaryOp::bit_or);
    auto print_arm = [&](const Expr& e) { print(e, e.as<Select>() ? select_level : arm); };
    print(s.condition, select_level + 1);
    out_ << " ? ";
    print_arm(s.then);
    out_ << " : ";
    print_arm(s.otherwise);
  }

  /// `sum(k < j)(…)` when the first constraint starts with the only variable, else names first: `sum(j,k, j < k)(…)`.
  void reduce(const Reduce& r) {
    const auto& [variables, constraints] = r.domain;
    if (r.op == format::ReduceOp::user) out_ << definition_of(r.function) << '(';
    else out_ << format::name_of(r.op) << '(';
    const bool implied = variables.size() == 1 && !constraints.empty() && constraints[0].left.as_name() == variables[0];
    if (!implied)
      for (std::size_t i = 0; i < variables.size(); ++i) out_ << (i ? "," : "") << variables[i];
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      const math::Constraint& c = constraints[i];
      if (i || !implied) out_ << ", ";
      out_ << math::to_string(c.left) << ' ';
      out_ << (c.relation == math::Relation::equal ? "==" : math::symbol(c.relation));  // `=` is no operator here
      out_ << ' ' << math::to_string(c.right);
    }
    out_ << ")(";
    const bool outer = std::exchange(tight_, false);
    print(r.body, select_level);
    tight_ = outer;
    out_ << ')';
  }

  /// `collapse(A(i,j), (i,j)->k)`, `slice(b(j), j->i, 2:5)`, `pad(e, i->k, 1:1, 0)`.
  void print_shape(const Shape& shape) {
    const bool outer = std::exchange(tight_, false);
    out_ << name_of(shape.op) << '(';
    for (const Expr& part : shape.parts) {
      print(part, select_level);
      out_ << ", ";
    }
    tight_ = true;
    if (!shape.from.empty()) {
      const auto named = [](const std::string& name) { return variable(name); };
      std::vector<Expr> from;
      std::ranges::transform(shape.from, std::back_inserter(from), named);
      indices(from, shape.op == Shape::Op::concat);
      out_ << "->";
    }
    indices(shape.to, false);
    numbers(shape);
    tight_ = outer;
    if (shape.outside) {
      out_ << ", ";
      print(*shape.outside, select_level);
    }
    out_ << ')';
  }

  void indices(const std::vector<Expr>& all, bool always_tuple) {
    if (all.size() > 1 || always_tuple) list(all, ",");
    else print(all.front(), select_level);
  }

  void numbers(const Shape& shape) {
    if (shape.numbers.empty()) return;
    const bool roll = shape.op == Shape::Op::roll;
    const bool plain_step = shape.op == Shape::Op::slice && shape.numbers[2] == math::Affine(1);
    const std::size_t shown = roll ? 1 : plain_step ? 2 : shape.numbers.size();
    for (std::size_t k = 0; k < shown; ++k) out_ << (k == 0 ? ", " : ":") << math::to_string(shape.numbers[k]);
  }

  text::TextBuilder& out_;
  text::Stage stage_;
  bool tight_ = false;        ///< inside an index: `i-1`
  bool spell_point_ = false;  ///< whole floating constants need their `.0` to stay floating
};

}  // namespace

void print(text::TextBuilder& out, const Expr& expr, text::Stage stage) {
  Printer(out, stage).print(expr, select_level);
}

std::string to_string(const Expr& expr) {
  text::TextBuilder out;
  print(out, expr);
  return out.take().characters;
}

}  // namespace trellis::lang
