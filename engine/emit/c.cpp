#include "engine/emit/c.hpp"

#include <array>
#include <cctype>

namespace trellis::emit::c {

namespace {

constexpr int comma_level = 0, conditional_level = 2, unary_level = 14, postfix_level = 15;
constexpr std::size_t widest_signature = 120;

enum class Family { multiplicative, additive, shift, comparison, bitwise, logical };
struct Operator {
  std::string_view symbol;
  int precedence;
  Family family;
};
constexpr std::array<Operator, 18> operators{{{"*", 13, Family::multiplicative},
                                              {"/", 13, Family::multiplicative},
                                              {"%", 13, Family::multiplicative},
                                              {"+", 12, Family::additive},
                                              {"-", 12, Family::additive},
                                              {"<<", 11, Family::shift},
                                              {">>", 11, Family::shift},
                                              {"<", 10, Family::comparison},
                                              {"<=", 10, Family::comparison},
                                              {">", 10, Family::comparison},
                                              {">=", 10, Family::comparison},
                                              {"==", 9, Family::comparison},
                                              {"!=", 9, Family::comparison},
                                              {"&", 8, Family::bitwise},
                                              {"^", 7, Family::bitwise},
                                              {"|", 6, Family::bitwise},
                                              {"&&", 5, Family::logical},
                                              {"||", 4, Family::logical}}};

const Operator& fact(const std::string& symbol) {
  for (const Operator& op : operators) {
    if (op.symbol == symbol) return op;
  }
  return operators.front();
}

/// Where C's own precedence misleads readers, gcc asks for parentheses, and so should a person.
bool misleading(const Operator& outer, const Expr& operand) {
  const auto* inner_unary = operand.as<Unary>();
  if (inner_unary && inner_unary->op == "!") return outer.family == Family::comparison;
  const auto* inner_binary = operand.as<Binary>();
  if (!inner_binary) return false;
  const Operator& inner = fact(inner_binary->op);
  switch (outer.family) {
    case Family::shift: return inner.family == Family::additive || inner.family == Family::shift;
    case Family::bitwise: return inner.symbol != outer.symbol && inner.family != Family::multiplicative;
    case Family::comparison: return inner.family == Family::comparison;
    case Family::logical: return inner.symbol == "&&" && outer.symbol == "||";
    case Family::multiplicative:
    case Family::additive: break;
  }
  return false;
}

class Printer {
 public:
  void blank() { out_.newline(); }

  void function(const Function& f) {
    std::string head = f.type + " " + f.name + "(";
    std::size_t width = head.size() + 3;
    for (const std::string& parameter : f.parameters) width += parameter.size() + 2;
    const bool wrap = width > widest_signature;
    out_ << head;
    for (std::size_t k = 0; k < f.parameters.size(); ++k) {
      if (k > 0) out_ << (wrap ? "," : ", ");
      if (wrap) {
        if (k == 0) {
          out_.indent();
          out_.indent();
        }
        out_.newline();
      }
      out_ << f.parameters[k];
    }
    if (f.parameters.empty()) out_ << "void";
    if (wrap) {
      out_.dedent();
      out_.dedent();
    }
    out_ << ") ";
    block(f.body);
    out_.newline();
  }

  text::Text take() { return out_.take(); }

 private:
  template <class Print>
  void spanned(const text::Origin& origin, Print&& print) {
    text::TextBuilder::Scope scope(out_, {text::Stage::c, next_++}, origin);
    print();
  }

  template <class Print>
  void wrapped(bool parentheses, Print&& print) {
    if (parentheses) out_ << '(';
    print();
    if (parentheses) out_ << ')';
  }

  void expr(const Expr& e, int context = comma_level) {
    if (e.origin().empty()) return bare_expr(e, context);
    spanned(e.origin(), [&] { bare_expr(e, context); });
  }

  void bare_expr(const Expr& e, int context) {
    e.match([&](const Token& t) { out_ << t.text; },
            [&](const Unary& u) {
              wrapped(unary_level < context, [&] {
                out_ << u.op;
                const auto* inner = u.operand.as<Unary>();
                wrapped(inner && inner->op == u.op && u.op == "-", [&] { expr(u.operand, unary_level); });
              });
            },
            [&](const Binary& b) {
              if (b.op == ",") return sequence(b);
              const Operator& op = fact(b.op);
              wrapped(op.precedence < context, [&] {
                operand(op, b.left, op.precedence);
                out_ << ' ' << b.op << ' ';
                operand(op, b.right, op.precedence + 1);
              });
            },
            [&](const Conditional& c) {
              wrapped(conditional_level < context, [&] {
                expr(c.condition, conditional_level + 1);
                out_ << " ? ";
                expr(c.then, conditional_level + 1);
                out_ << " : ";
                expr(c.otherwise, conditional_level);
              });
            },
            [&](const Cast& c) {
              wrapped(unary_level < context, [&] {
                out_ << '(' << c.type << ')';
                expr(c.operand, unary_level);
              });
            },
            [&](const Call& c) {
              out_ << c.function << '(';
              for (std::size_t k = 0; k < c.arguments.size(); ++k) {
                if (k > 0) out_ << ", ";
                expr(c.arguments[k]);
              }
              out_ << ')';
            },
            [&](const Index& i) {
              expr(i.array, postfix_level);
              out_ << '[';
              expr(i.index);
              out_ << ']';
            });
  }

  /// Always in parentheses, as arguments and initial values have to have it.
  void sequence(const Binary& b) {
    out_ << '(';
    expr(b.left, comma_level);
    out_ << ", ";
    expr(b.right, comma_level);
    out_ << ')';
  }

  void operand(const Operator& outer, const Expr& e, int context) {
    const bool force = misleading(outer, e);
    wrapped(force, [&] { expr(e, force ? comma_level : context); });
  }

  void block(const Stmt& s) {
    const text::Origin around = s.origin().empty() ? around_ : std::exchange(around_, s.origin());
    out_ << '{';
    out_.indent();
    for (const Stmt& inner : s.as<Block>()->statements) {
      out_.newline();
      stmt(inner);
    }
    out_.dedent();
    out_.newline();
    out_ << '}';
    around_ = around;
  }

  /// A statement that does not say where it comes from comes from where the one around it does.
  void stmt(const Stmt& s) {
    const text::Origin around = s.origin().empty() ? around_ : std::exchange(around_, s.origin());
    if (around_.empty()) bare_stmt(s);
    else spanned(around_, [&] { bare_stmt(s); });
    around_ = around;
  }

  void bare_stmt(const Stmt& s) {
    s.match([&](const Block&) { block(s); },
            [&](const Declaration& d) {
              out_ << d.type << (d.type.back() == '*' ? "" : " ") << d.name;
              if (d.extent) {
                out_ << '[';
                expr(*d.extent);
                out_ << ']';
              }
              if (d.value) {
                out_ << " = ";
                expr(*d.value);
              }
              out_ << ';';
            },
            [&](const Assignment& a) {
              expr(a.target);
              out_ << ' ' << a.op << ' ';
              expr(a.value);
              out_ << ';';
            },
            [&](const Evaluate& e) {
              expr(e.expr);
              out_ << ';';
            },
            [&](const For& f) {
              out_ << "for (";
              if (f.first) {
                out_ << "int64_t " << f.variable << " = ";
                expr(*f.first);
              }
              out_ << "; ";
              expr(f.condition);
              out_ << "; " << f.step << ") ";
              block(f.body);
            },
            [&](const While& w) {
              out_ << "while (";
              expr(w.condition);
              out_ << ") ";
              block(w.body);
            },
            [&](const If& i) {
              out_ << "if (";
              expr(i.condition);
              out_ << ") ";
              block(i.then);
              if (!i.otherwise) return;
              out_ << " else ";
              otherwise(*i.otherwise);
            },
            [&](const Return& r) {
              out_ << "return";
              if (r.value) {
                out_ << ' ';
                expr(*r.value);
              }
              out_ << ';';
            },
            [&](const Continue&) { out_ << "continue;"; }, [&](const Break&) { out_ << "break;"; },
            [&](const Goto& g) { out_ << "goto " << g.label << ';'; }, [&](const Label& l) { out_ << l.name << ":;"; },
            [&](const Pragma& p) { out_ << "#pragma " << p.text; });
  }

  /// A chain of `else if` stays flat.
  void otherwise(const Stmt& s) {
    const auto& statements = s.as<Block>()->statements;
    if (statements.size() == 1 && statements.front().as<If>()) {
      stmt(statements.front());
    } else {
      block(s);
    }
  }

  text::TextBuilder out_;
  text::Origin around_;
  int next_ = 0;
};

}  // namespace

Expr token(std::string text) { return expr(Token{std::move(text)}); }
Expr number(std::int64_t value) {
  return value < 0 ? expr(Unary{"-", token(std::to_string(-value))}) : token(std::to_string(value));
}
Expr binary(std::string op, Expr left, Expr right) {
  return expr(Binary{std::move(op), std::move(left), std::move(right)});
}
Expr call(std::string function, std::vector<Expr> arguments) {
  return expr(Call{std::move(function), std::move(arguments)});
}

bool is_plain_literal(const Expr& e) {
  if (const auto* t = e.as<Token>()) return std::isdigit(static_cast<unsigned char>(t->text.front())) != 0;
  if (const auto* u = e.as<Unary>()) return u->op != "*" && is_plain_literal(u->operand);
  if (const auto* c = e.as<Conditional>()) return is_plain_literal(c->then) && is_plain_literal(c->otherwise);
  return false;
}

text::Text print(const std::vector<Function>& functions) {
  Printer printer;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (i > 0) printer.blank();
    printer.function(functions[i]);
  }
  return printer.take();
}

}  // namespace trellis::emit::c
