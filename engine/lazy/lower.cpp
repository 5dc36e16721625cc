#include "engine/lazy/lower.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <sstream>

#include "engine/format/storage_order.hpp"
#include "engine/lazy/fills.hpp"
#include "engine/lazy/notation.hpp"
#include "engine/lazy/rules.hpp"

namespace trellis::lazy {

namespace syntax = lang::syntax;
using Op = lang::Shape::Op;

Expr sayable(const Expr& expr) {
  const Expr inner = map_children(expr, sayable);
  for (const auto& rule : {drop_missing, drop_shape})
    if (const auto found = rule(inner); !found.empty()) return sayable(found.front().expr);
  return inner;
}

namespace {

template <class Node>
syntax::Statement statement(Node is) {
  return syntax::Statement(syntax::StatementNode{std::move(is), {}});
}

/// `bcsr(4, 2)`: a name and its numbers.
syntax::NamedAttribute named(const std::string& written) {
  const std::size_t open = written.find('(');
  syntax::NamedAttribute attribute{{written.substr(0, open), {}}, {}};
  std::istringstream numbers(open == std::string::npos ? "" : written.substr(open + 1));
  for (std::string number; std::getline(numbers, number, ',');) {
    std::erase_if(number, [](char c) { return c == ' ' || c == ')'; });
    attribute.options.values.push_back({number, {}});
  }
  return attribute;
}

syntax::LevelsAttribute levels_of(const format::Format& format) {
  syntax::LevelsAttribute levels;
  for (const format::Level& level : format.levels) {
    levels.levels.push_back({{level.name, {}}, {}});
    for (const std::string& option : level.options) levels.levels.back().options.values.push_back({option, {}});
  }
  if (format.pattern) levels.levels.push_back({{"pattern", {}}, {}});
  return levels;
}

syntax::OrderAttribute order_of(const format::Format& format) {
  syntax::OrderAttribute order;
  for (std::size_t level = 0; level < format.levels.size(); ++level)
    order.dimensions.push_back(number_syntax(static_cast<std::int64_t>(format::dimension_of(format, level))));
  return order;
}

void add_format(const format::Format& format, std::vector<syntax::Attribute>& into) {
  if (format.levels.empty()) return;
  if (format.layout) return into.push_back(named(format.layout->name));
  const auto known = format::Format::named(format.name, format.rank());
  const bool in_order = known ? format::order_text(*known) == format::order_text(format) : format::is_row_major(format);
  if (!known || known->levels != format.levels || known->pattern != format.pattern) into.push_back(levels_of(format));
  else if (!format.all_dense()) into.push_back(named(format.name));
  if (!in_order) into.push_back(order_of(format));
}

syntax::Statement declaration(const std::string& name, std::vector<syntax::Expr> shape, format::ScalarType type,
                              const format::Value& fill, const format::Format& format) {
  syntax::TensorDecl declared{{name, {}}, std::move(shape), {}};
  add_format(format, declared.attributes);
  declared.attributes.push_back(syntax::NamedAttribute{{std::string(format::name_of(type)), {}}, {}});
  // Where no declaration can say it, everything is stored.
  const bool zero = fill == format::Value::of_integer(type, 0);
  if (!zero && !std::isnan(fill.real)) declared.attributes.push_back(syntax::FillAttribute{{literal_syntax(fill)}});
  return statement(std::move(declared));
}

/// What no operand may say the size of: what a shape operator binds in a part that lacks it, and what a reshape makes.
Fields loose_fields(const Expr& expr) {
  Fields loose;
  if (const auto* s = expr.as<Shape>()) {
    if (s->op == Op::reshape && s->to.size() > 1) loose = as_set(s->to);
    for (std::size_t p = 0; p < s->parts.size(); ++p)
      loose = united(loose, without(s->bound_in(p), s->parts[p]->fields));
  }
  for (const Expr& child : children(expr)) loose = united(loose, loose_fields(child));
  return loose;
}

/// What is bound at different places is called differently, so that a constraint names one of them.
Expr bound_apart(const Expr& expr) {
  const Expr inner = map_children(expr, bound_apart);
  if (!inner.as<Shape>()) return inner;
  std::vector<std::pair<Field, Field>> kept;
  for (const Field& field : inner->fields) kept.emplace_back(field, field);
  return renamed(inner, kept);
}

/// `order i k j`.
syntax::Statement order_command(const std::vector<Field>& order, FieldNames& names) {
  syntax::Command command{{"order", {}}, {}};
  for (const Field& field : order) command.words.push_back({syntax::Word::Kind::name, names(field), {}});
  return statement(std::move(command));
}

syntax::Constraint size_constraint(const Field& field, FieldNames& names) {
  return {{number_syntax(0), name_syntax(names(field)), number_syntax(field.size)},
          {math::Relation::less_equal, math::Relation::less},
          {}};
}

class Lowering {
 public:
  Lowering(const Formats& operands, const SizeNames& sizes) : sizes_(sizes) { lowered_.formats = operands; }

  void add(const Query& query) {
    Expr expr = sayable(query.expr);
    // The result's declaration says how long its dimensions are.
    const auto loose = [&] { return without(loose_fields(expr), as_set(query.fields)); };
    if (!loose().empty()) {
      assert(query.order.empty());
      expr = bound_apart(expr);
    }
    declare_tables(expr);
    const format::Format format = result_format(query, lowered_.formats);
    declare(query.name, query.fields, query.expr->type, fill_of(query.expr), format);
    std::set<std::string> taken = tables_of(expr);
    taken.insert(query.name);
    FieldNames names(std::move(taken));
    syntax::Equation equation{access_syntax(query.name, query.fields, names), {}, {}};
    equation.right = to_syntax(expr, names);
    for (const Field& field : loose()) equation.constraints.push_back(size_constraint(field, names));
    syntax::Kernel kernel{{"make_" + query.name, {}}, {statement(std::move(equation))}};
    if (!query.order.empty()) kernel.statements.push_back(order_command(query.order, names));
    lowered_.file.statements.push_back(statement(std::move(kernel)));
  }

  Lowered take() { return std::move(lowered_); }

 private:
  void declare(const std::string& name, const std::vector<Field>& fields, format::ScalarType type,
               const format::Value& fill, const format::Format& format) {
    if (!declared_.insert(name).second) return;
    lowered_.formats[name] = format;
    std::vector<syntax::Expr> shape;
    for (const Field& field : fields) {
      const auto named = sizes_.find(field.number);
      shape.push_back(named != sizes_.end() ? name_syntax(named->second) : number_syntax(field.size));
    }
    lowered_.file.statements.push_back(declaration(name, std::move(shape), type, fill, format));
  }

  void declare_tables(const Expr& expr) {
    if (const auto* t = expr.as<Table>()) {
      const auto format = lowered_.formats.find(t->name);
      declare(t->name, t->fields, t->type, t->fill,
              format != lowered_.formats.end() ? format->second
                                               : format::Format::dense(static_cast<int>(t->fields.size())));
    }
    for (const Expr& child : children(expr)) declare_tables(child);
  }

  const SizeNames& sizes_;
  Lowered lowered_;
  std::set<std::string> declared_;
};

}  // namespace

Lowered lower(const Plan& plan, const Formats& operands, const SizeNames& sizes) {
  Lowering lowering(operands, sizes);
  for (const Query& query : plan.queries) lowering.add(query);
  return lowering.take();
}

}  // namespace trellis::lazy
