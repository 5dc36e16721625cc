#include "engine/lazy/notation.hpp"

#include <algorithm>
#include <cmath>

#include "engine/lang/parse.hpp"

namespace trellis::lazy {

namespace syntax = lang::syntax;
using format::ScalarType;
using format::Value;
using Op = lang::Shape::Op;

const std::string& FieldNames::operator()(const Field& field) {
  constexpr std::string_view letters = "ijklmnpq";
  const auto [found, added] = names_.try_emplace(field.number);
  while (added && found->second.empty()) {
    const auto place = static_cast<std::size_t>(next_++);
    const std::string name = letters[place % letters.size()] +
                             (place < letters.size() ? std::string() : std::to_string(place / letters.size()));
    if (!taken_.contains(name)) found->second = name;
  }
  return found->second;
}

namespace {

template <class Node>
syntax::Expr node(Node is) {
  return syntax::Expr(syntax::ExprNode{std::move(is), {}});
}

syntax::Expr call(std::string_view name, const std::vector<syntax::Expr>& values) {
  syntax::Reference reference{{std::string(name), {}}, {}, std::vector<syntax::Argument>(), {}};
  for (const syntax::Expr& value : values) reference.arguments->push_back({value, {}, {}, {}});
  return node(std::move(reference));
}

}  // namespace

syntax::Expr name_syntax(const std::string& name) { return node(syntax::Reference{{name, {}}, {}, {}, {}}); }

syntax::Expr number_syntax(std::int64_t number) {
  const std::string text = std::to_string(number);
  if (number >= 0) return node(syntax::Number{text});
  return node(syntax::Unary{format::UnaryOp::negate, node(syntax::Number{text.substr(1)})});
}

syntax::Expr literal_syntax(const Value& value) {
  if (format::is_boolean(value.type)) return node(syntax::Truth{value.is_true()});
  if (std::isnan(value.real))
    return node(syntax::Binary{format::BinaryOp::subtract, node(syntax::Infinity()), node(syntax::Infinity())});
  const bool negative =
      format::is_floating(value.type) ? std::signbit(value.real) : format::is_signed(value.type) && value.integer < 0;
  std::string text = format::to_string(value);
  if (negative) text.erase(0, 1);
  const bool whole = text.find_first_of(".e") == std::string::npos;
  const bool minus_zero = negative && format::is_floating(value.type) && value.real == 0;
  const syntax::Expr magnitude = std::isinf(value.real)
                                     ? node(syntax::Infinity())
                                     : node(syntax::Number{whole && minus_zero ? text + ".0" : text});
  return negative ? node(syntax::Unary{format::UnaryOp::negate, magnitude}) : magnitude;
}

syntax::Expr access_syntax(const std::string& name, const std::vector<Field>& fields, FieldNames& names) {
  if (fields.empty()) return name_syntax(name);
  std::vector<syntax::Expr> indices;
  for (const Field& field : fields) indices.push_back(name_syntax(names(field)));
  return call(name, indices);
}

namespace {

class Notation {
 public:
  explicit Notation(FieldNames& names) : names_(names) {}

  syntax::Expr of(const Expr& expr) {
    return expr.match([&](const Table& t) { return access_syntax(t.name, t.fields, names_); },
                      [&](const Const& c) { return typed(c.value); }, [&](const Map& m) { return of_map(m); },
                      [&](const Agg& a) { return reduction(a.op, a.over, a.of); },
                      [&](const Arg& a) { return reduction(a.op, {a.over}, a.of); },
                      [&](const Shape& s) { return of_shape(s); });
  }

 private:
  /// A literal has no type of its own in the language: here it has got one, as in `f32(0.5)`.
  static syntax::Expr typed(const Value& value) {
    if (format::is_boolean(value.type)) return literal_syntax(value);
    const bool large = value.type == ScalarType::u64 && value.integer < 0;  // beyond i64, which a literal alone is
    const Value written = large ? Value::of_integer(ScalarType::i64, value.integer) : value;
    syntax::Expr literal = literal_syntax(written);
    if (const auto* number = literal.as<syntax::Number>())
      if (format::is_floating(value.type) && number->spelling.find_first_of(".e") == std::string::npos)
        literal = node(syntax::Number{number->spelling + ".0"});
    return call(format::name_of(value.type), {literal});
  }

  /// Has it a type whatever stands around it?
  static bool has_own_type(const Expr& expr) {
    if (expr.as<Table>()) return true;
    if (expr.as<Const>() || expr.as<Arg>()) return false;
    if (const auto* m = expr.as<Map>()) {
      if (std::holds_alternative<Cast>(m->op)) return true;
      if (std::holds_alternative<Where>(m->op)) return has_own_type(m->arguments[1]) || has_own_type(m->arguments[2]);
      if (const auto* binary = std::get_if<format::BinaryOp>(&m->op); binary && format::is_comparison(*binary))
        return true;
    }
    return std::ranges::any_of(children(expr), has_own_type);
  }

  /// Operands of one type: a constant beside another operand is its literal.
  std::vector<syntax::Expr> alike(const Map& m) {
    const bool settled = std::ranges::any_of(m.arguments, has_own_type);
    std::vector<syntax::Expr> operands;
    for (const Expr& argument : m.arguments) {
      const auto* constant = argument.as<Const>();
      operands.push_back(constant && settled ? literal_syntax(constant->value) : of(argument));
    }
    return operands;
  }

  syntax::Expr of_map(const Map& m) {
    return std::visit(
        text::overloaded{[&](format::UnaryOp op) {
                           return node(syntax::Unary{op, of(m.arguments[0])});
                         },
                         [&](format::BinaryOp op) {
                           const auto operands = alike(m);
                           return node(syntax::Binary{op, operands[0], operands[1]});
                         },
                         [&](format::Function f) { return call(format::name_of(f), alike(m)); },
                         [&](const Cast& to) { return call(format::name_of(to.type), {of(m.arguments[0])}); },
                         [&](const Where&) {
                           return node(syntax::Select{of(m.arguments[0]), of(m.arguments[1]), of(m.arguments[2])});
                         }},
        m.op);
  }

  syntax::Expr reduction(format::ReduceOp op, const Fields& over, const Expr& body) {
    syntax::Reference reference{{std::string(format::name_of(op)), {}}, {}, std::vector<syntax::Argument>(), of(body)};
    for (const Field& field : over) reference.arguments->push_back({name_syntax(names_(field)), {}, {}, {}});
    return node(std::move(reference));
  }

  std::vector<syntax::Expr> fields(const std::vector<Field>& list) {
    std::vector<syntax::Expr> result;
    for (const Field& field : list) result.push_back(name_syntax(names_(field)));
    return result;
  }

  syntax::Expr of_shape(const Shape& s) {
    syntax::Reference reference{{std::string(lang::name_of(s.op)), {}}, {}, std::vector<syntax::Argument>(), {}};
    for (const Expr& part : s.parts) reference.arguments->push_back({of(part), {}, {}, {}});
    const std::vector<syntax::Expr> from = fields(s.from), to = fields(s.to);
    if (s.op == Op::stack) {
      reference.arguments->push_back({to[0], {}, {}, {}});
      return node(std::move(reference));
    }
    syntax::Argument names{from.size() == 1 ? from[0] : node(syntax::Tuple{from}), {}, {}, to};
    names.arrow_is_tuple = to.size() > 1;
    reference.arguments->push_back(std::move(names));
    if (s.op == Op::slice) {
      const std::int64_t first = s.numbers[0], step = s.numbers[1];
      reference.arguments->push_back(
          {number_syntax(first), number_syntax(first + step * s.to[0].size), number_syntax(step), {}});
    }
    if (s.op == Op::roll) reference.arguments->push_back({number_syntax(s.numbers[0]), {}, {}, {}});
    if (s.op == Op::pad) {
      reference.arguments->push_back({number_syntax(s.numbers[0]), number_syntax(s.numbers[1]), {}, {}});
      if (s.outside) reference.arguments->push_back({literal_syntax(*s.outside), {}, {}, {}});
    }
    return node(std::move(reference));
  }

  FieldNames& names_;
};

void collect_tables(const Expr& expr, std::set<std::string>& into) {
  if (const auto* t = expr.as<Table>()) into.insert(t->name);
  for (const Expr& child : children(expr)) collect_tables(child, into);
}

}  // namespace

syntax::Expr to_syntax(const Expr& expr, FieldNames& names) { return Notation(names).of(expr); }

std::set<std::string> tables_of(const Expr& expr) {
  std::set<std::string> names;
  collect_tables(expr, names);
  return names;
}

std::string to_string(const Expr& expr) {
  FieldNames names(tables_of(expr));
  return lang::to_string(to_syntax(expr, names));
}

std::string to_string(const Query& query) {
  std::set<std::string> taken = tables_of(query.expr);
  taken.insert(query.name);
  FieldNames names(std::move(taken));
  return to_string(query, names);
}

std::string to_string(const Query& query, FieldNames& names) {
  const syntax::Expr left = access_syntax(query.name, query.fields, names);
  return lang::to_string(left) + " = " + lang::to_string(to_syntax(query.expr, names));
}

std::string to_string(const std::vector<Field>& fields, FieldNames& names) {
  std::string text;
  for (const Field& field : fields) text += (text.empty() ? "" : " ") + names(field);
  return text;
}

std::string to_string(const Plan& plan) {
  std::string text;
  for (const Query& query : plan.queries) text += to_string(query) + "\n";
  return text;
}

}  // namespace trellis::lazy
