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

void ExprPrinter::parenthesised(const std::string& number, int context) {
  wrapped(number.front() == '-' ? format::unary_precedence : tightest, context, [&] { out_ << number; });
}

void ExprPrinter::expr(const Expr& e, int context) {
  text::TextBuilder::Scope scope(out_, {text::Stage::cfir, e.id()}, e.origin());
  e.match(
      [&](const Constant& c) { parenthesised(format::to_string(c.value), context); },
      [&](const Name& n) { out_ << n.name; }, [&](const Value& v) { element(v.tensor, v.position); },
      [&](const Here& h) { out_ << "here(" << h.cursor << ')'; },
      [&](const Unary& u) {
        wrapped(format::unary_precedence, context, [&] {
          out_ << format::symbol(u.op);
          expr(u.operand, format::unary_precedence + 1);
        });
      },
      [&](const Binary& b) {
        const int level = format::precedence(b.op);
        wrapped(level, context, [&] {
          // Power groups to the right; comparisons do not chain.
          const bool loose_left = b.op != format::BinaryOp::power && !format::is_comparison(b.op);
          expr(b.left, loose_left ? level : level + 1);
          out_ << (b.op == format::BinaryOp::power ? "" : " ") << format::symbol(b.op)
               << (b.op == format::BinaryOp::power ? "" : " ");
          expr(b.right, level + 1);
        });
      },
      [&](const Select& s) {
        wrapped(select_precedence, context, [&] {
          expr(s.condition, select_precedence + 1);
          out_ << " ? ";
          expr(s.then, select_precedence + 1);
          out_ << " : ";
          expr(s.otherwise, select_precedence);
        });
      },
      [&](const Cast& c) {
        out_ << format::name_of(e->type) << '(';
        expr(c.operand);
        out_ << ')';
      },
      [&](const Call& c) {
        out_ << format::name_of(c.function) << '(';
        for (std::size_t k = 0; k < c.arguments.size(); ++k) {
          if (k > 0) out_ << ", ";
          expr(c.arguments[k]);
        }
        out_ << ')';
      },
      [&](const Apply& a) {
        out_ << a.function << '(';
        for (std::size_t k = 0; k < a.arguments.size(); ++k) {
          if (k > 0) out_ << ", ";
          expr(a.arguments[k]);
        }
        out_ << ')';
      },
      [&](const After& a) {
        out_ << '(';
        expr(a.first);
        out_ << "; ";
        expr(a.value);
        out_ << ')';
      },
      [&](const Checked& c) {
        out_ << '(';
        expr(c.coordinate);
        out_ << " checked for " << c.tensor << '.' << static_cast<std::int64_t>(c.level + 1) << ')';
      },
      [&](const Stored& s) { out_ << "stored(" << s.tensor << '.' << static_cast<std::int64_t>(s.level + 1) << ')'; });
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
