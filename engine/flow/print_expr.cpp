#include "engine/flow/print_expr.hpp"

namespace trellis::flow {

namespace {

constexpr int select_precedence = 5;
constexpr int tightest = 1000;

}  // namespace

template <class Print>
void ExprPrinter::wrapped(int own, int context, Print&& print) {
  if (own < context) out_ << '(';
  print();
  if (own < context) out_ << ')';
}

void ExprPrinter::literal(const format::Value& value, int context, format::ScalarType wanted) {
  std::string number = format::to_string(value);
  if (value.type != wanted && !format::is_boolean(value.type)) number += '_' + std::string(format::name_of(value.type));
  wrapped(number.front() == '-' ? format::unary_precedence : tightest, context, [&] { out_ << number; });
}

void ExprPrinter::arguments(const std::vector<Expr>& all, const auto& wanted) {
  out_ << '(';
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k > 0) out_ << ", ";
    expr(all[k], wanted(k));
  }
  out_ << ')';
}

void ExprPrinter::binary(const Binary& b, format::ScalarType wanted) {
  const int level = format::precedence(b.op);
  const format::ScalarType type = operand_type(b, wanted);
  // Power groups to the right; comparisons do not chain.
  const bool loose_left = b.op != format::BinaryOp::power && !format::is_comparison(b.op);
  const char* const space = b.op == format::BinaryOp::power ? "" : " ";
  expr(b.left, loose_left ? level : level + 1, type);
  out_ << space << format::symbol(b.op) << space;
  expr(b.right, level + 1, type);
}

void ExprPrinter::expr(const Expr& e, int context, format::ScalarType wanted) {
  text::TextBuilder::Scope scope(out_, {text::Stage::flow, e.id()}, e.origin());
  e.match(
      [&](const Constant& c) { literal(c.value, context, wanted); }, [&](const Name& n) { out_ << n.name; },
      [&](const Value& v) { element(v.tensor, v.position); },
      [&](const Here& h) { out_ << "here(" << h.cursor << (h.several ? "…)" : ")"); },
      [&](const Unary& u) {
        const bool truth = u.op == format::UnaryOp::logical_not;
        wrapped(format::unary_precedence, context, [&] {
          out_ << format::symbol(u.op);
          // A sign before a number is the number's.
          const bool number = u.op == format::UnaryOp::negate && u.operand.as<Constant>();
          expr(u.operand, number ? tightest + 1 : format::unary_precedence + 1,
               truth ? format::ScalarType::boolean : wanted);
        });
      },
      [&](const Binary& b) { wrapped(format::precedence(b.op), context, [&] { binary(b, wanted); }); },
      [&](const Select& s) {
        const format::ScalarType type = arm_type(s, wanted);
        wrapped(select_precedence, context, [&] {
          expr(s.condition, select_precedence + 1);
          out_ << " ? ";
          expr(s.then, select_precedence + 1, type);
          out_ << " : ";
          expr(s.otherwise, select_precedence, type);
        });
      },
      [&](const Cast& c) {
        out_ << format::name_of(e->type) << '(';
        expr(c.operand);
        out_ << ')';
      },
      [&](const Call& c) {
        out_ << format::name_of(c.function);
        arguments(c.arguments, [type = argument_type(c, wanted)](std::size_t) { return type; });
      },
      [&](const Apply& a) {
        out_ << a.function;
        arguments(a.arguments, [&](std::size_t k) { return a.arguments[k]->type; });
      },
      [&](const After& a) {
        out_ << '(';
        expr(a.first);
        out_ << "; ";
        expr(a.value, wanted);
        out_ << ')';
      },
      [&](const Checked& c) {
        out_ << '(';
        expr(c.coordinate);
        out_ << " checked for " << c.tensor << '.' << static_cast<std::int64_t>(c.level + 1) << ')';
      },
      [&](const Stored& s) { out_ << "stored(" << s.tensor << '.' << static_cast<std::int64_t>(s.level + 1) << ')'; },
      [&](const Begin& b) {
        out_ << "begin(";
        place(b.tensor, b.level, b.parent);
        out_ << ')';
      },
      [&](const Coordinate& c) {
        out_ << "coordinate(" << c.tensor << '.' << static_cast<std::int64_t>(c.level + 1) << " at ";
        expr(c.entry);
        out_ << ')';
      });
}

void ExprPrinter::element(const std::string& tensor, const Position& position) {
  out_ << tensor;
  levels(position);
}

void ExprPrinter::levels(const Position& position) {
  position.match([](const Root&) {},
                 [&](const Direct& d) {
                   levels(d.parent);
                   out_ << '[';
                   expr(d.coordinate);
                   out_ << (d.check ? " checked]" : "]");
                 },
                 [&](const At& at) { out_ << '[' << at.name << (at.several ? "…]" : "]"); },
                 [&](const Within& w) {
                   out_ << '[' << w.name << " at ";
                   expr(w.coordinate);
                   out_ << ']';
                 });
}

void ExprPrinter::place(const std::string& tensor, int level, const Position& parent) {
  out_ << tensor << '.' << static_cast<std::int64_t>(level + 1);
  below(parent);
}

void ExprPrinter::below(const Position& parent) {
  if (parent.as<Root>()) return;
  out_ << " below ";
  levels(parent);
}

void print(text::TextBuilder& out, const Expr& expr) { ExprPrinter(out).expr(expr); }

std::string to_string(const Expr& expr) {
  text::TextBuilder out;
  print(out, expr);
  return out.take().characters;
}

}  // namespace trellis::flow
