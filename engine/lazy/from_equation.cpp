#include "engine/lazy/from_equation.hpp"

#include <algorithm>

#include "engine/lazy/operation.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lazy {

namespace {

using format::ReduceOp;
using format::ScalarType;
using format::Value;

class Translating {
 public:
  Translating(const lang::Program& program, const std::map<std::string, Value>& values,
              const std::set<std::string>& unfinished)
      : program_(program), values_(values), unfinished_(unfinished) {}

  Query of(const lang::Equation& equation) {
    const lang::Access& left = equation.access();
    Query query{left.tensor, {}, {}, {}, {}};
    const lang::TensorInfo& info = tensor(left.tensor, equation.left);
    for (std::size_t d = 0; d < left.indices.size(); ++d)
      query.fields.push_back(field(left.indices[d], size_of(info.shape[d], left.indices[d])));
    if (as_set(query.fields).size() != query.fields.size())
      refuse("one index stands twice on the left", equation.left->span);
    require_all_points(equation.domain, equation.span);
    query.expr = cast(info.type, translated(equation.right));
    query.format = info.format;
    return query;
  }

 private:
  [[noreturn]] static void refuse(std::string reason, text::Span span) { throw NoQuery{std::move(reason), span}; }

  const lang::TensorInfo& tensor(const std::string& name, const lang::Expr& at) const {
    const lang::TensorInfo& info = *program_.tensor(name);
    if (info.format.layout) refuse(name + " is stored by a layout, which plans do not know", at->span);
    return info;
  }

  std::optional<std::int64_t> value(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : std::optional(found->second.as_integer());
  }

  std::int64_t size_of(const math::Affine& size, const lang::Expr& at) const {
    const auto known = size.evaluate([&](const std::string& name) { return value(name); });
    if (!known) refuse("the size " + math::to_string(size) + " has no value yet", at->span);
    return *known;
  }

  Field field(const lang::Expr& index, std::int64_t size) {
    const auto* v = index.as<lang::Variable>();
    if (!v) refuse(lang::to_string(index) + " is no index alone", index->span);
    const auto [at, fresh] = fields_.try_emplace(v->name, Field{});
    if (fresh) at->second = fresh_field(size);
    if (at->second.size != size) refuse(v->name + " is an index of two sizes", index->span);
    return at->second;
  }

  /// Constraints leave out no point: they are the ranges of the variables.
  void require_all_points(const math::Domain& domain, text::Span span) const {
    for (const math::Constraint& constraint : domain.constraints)
      if (!holds_everywhere(constraint))
        refuse("it is about some points alone, those with " + math::to_string(constraint), span);
  }

  /// Of one variable: at its first and at its last coordinate, and so between them. Of none: as it is.
  bool holds_everywhere(const math::Constraint& constraint) const {
    std::set<std::string> names;
    constraint.left.collect_names(names);
    constraint.right.collect_names(names);
    std::vector<std::string> variables;
    for (const std::string& name : names)
      if (fields_.contains(name)) variables.push_back(name);
    if (variables.size() > 1 || constraint.relation == math::Relation::not_equal) return false;
    const std::int64_t last = variables.empty() ? 0 : fields_.at(variables[0]).size - 1;
    for (const std::int64_t at : {std::int64_t{0}, last}) {
      const auto holds = constraint.holds(
          [&](const std::string& name) { return fields_.contains(name) ? std::optional(at) : value(name); });
      if (!variables.empty() && last < 0) return true;
      if (!holds.value_or(false)) return false;
    }
    return constraint.left.quotients.empty() && constraint.right.quotients.empty();
  }

  Expr translated(const lang::Expr& e) {
    const auto all = [&](std::initializer_list<lang::Expr> operands) {
      std::vector<Expr> translations;
      for (const lang::Expr& operand : operands) translations.push_back(translated(operand));
      return translations;
    };
    return e.match(
        [](const lang::Constant& c) { return constant(c.value); },
        [&](const lang::Parameter& p) { return parameter(p, e); },
        [&](const lang::Variable& v) -> Expr { refuse("the index " + v.name + " is used as a number", e->span); },
        [&](const lang::Access& a) { return access(a, e); },
        [&](const lang::Unary& u) { return map(u.op, all({u.operand})); },
        [&](const lang::Binary& b) {
          return map(b.op, all({b.left, b.right}));
        },
        [&](const lang::Select& s) {
          return map(Where{}, all({s.condition, s.then, s.otherwise}));
        },
        [&](const lang::Cast& c) { return cast(e->type, translated(c.operand)); },
        [&](const lang::Call& c) {
          std::vector<Expr> arguments;
          for (const lang::Expr& argument : c.arguments) arguments.push_back(translated(argument));
          return map(c.function, std::move(arguments));
        },
        [&](const lang::Apply& a) -> Expr { refuse(a.function + " is a function of the program", e->span); },
        [&](const lang::Reduce& r) { return reduction(r, e); },
        [&](const lang::Shape& s) -> Expr {
          refuse(std::string(lang::name_of(s.op)) + " moves elements, which leaves nothing to choose", e->span);
        },
        [&](const lang::Stored&) -> Expr { refuse("it asks for what is stored", e->span); });
  }

  Expr parameter(const lang::Parameter& p, const lang::Expr& e) const {
    const auto found = values_.find(p.name);
    if (found == values_.end()) refuse(p.name + " has no value yet", e->span);
    return constant(format::cast(e->type, found->second));
  }

  Expr access(const lang::Access& a, const lang::Expr& e) {
    if (a.step) refuse(lang::to_string(e) + " is a step of a recurrence", e->span);
    if (unfinished_.contains(a.tensor))
      refuse(lang::to_string(e) + " is read before all of " + a.tensor + " is there: a recurrence", e->span);
    const lang::TensorInfo& info = tensor(a.tensor, e);
    std::vector<Field> fields;
    for (std::size_t d = 0; d < a.indices.size(); ++d)
      fields.push_back(field(a.indices[d], size_of(info.shape[d], a.indices[d])));
    return table(a.tensor, info.type, info.fill, std::move(fields));
  }

  Expr reduction(const lang::Reduce& r, const lang::Expr& e) {
    if (r.op == ReduceOp::user) refuse(r.function + " is a function of the program", e->span);
    // What is bound here is another field than what is called the same elsewhere.
    std::map<std::string, std::optional<Field>> outer;
    for (const std::string& name : r.domain.variables) {
      const auto known = fields_.find(name);
      outer[name] = known == fields_.end() ? std::nullopt : std::optional(known->second);
      fields_.erase(name);
    }
    const Expr body = translated(r.body);
    const bool sums = r.op == ReduceOp::sum || r.op == ReduceOp::prod;
    if (sums && !format::is_floating(body->type) && format::size_of(body->type) != 8)
      refuse("sums of " + std::string(format::name_of(body->type)) + " wrap, and plans take them in 64 bits", e->span);
    Fields over;
    for (const std::string& name : r.domain.variables) {
      if (!fields_.contains(name)) refuse("no tensor says how far " + name + " goes", e->span);
      over.push_back(fields_.at(name));
    }
    require_all_points(r.domain, e->span);
    for (const auto& [name, field] : outer) {
      fields_.erase(name);
      if (field) fields_[name] = *field;
    }
    if (format::is_arg(r.op)) return arg(r.op, over.front(), body);
    return agg(r.op, as_set(over), body);
  }

  const lang::Program& program_;
  const std::map<std::string, Value>& values_;
  const std::set<std::string>& unfinished_;
  std::map<std::string, Field> fields_;
};

/// Coordinates of a dimension of which each has a number in the statistics.
constexpr std::int64_t most_counted = std::int64_t{1} << 26;

std::int64_t longest(const Expr& expr) {
  std::int64_t most = 0;
  if (const auto* table = expr.as<Table>())
    for (const Field& field : table->fields) most = std::max(most, field.size);
  for (const Expr& child : children(expr)) most = std::max(most, longest(child));
  return most;
}

}  // namespace

std::variant<std::vector<Query>, NoQuery> queries_of(const lang::Program& program, const lang::Kernel& kernel,
                                                     const std::map<std::string, Value>& values) {
  if (kernel.loops) return NoQuery{"kernel " + kernel.name + " is a loop program: its order is written", kernel.span};
  if (!kernel.timesteps.empty() || kernel.until)
    return NoQuery{"kernel " + kernel.name + " goes from step to step: a recurrence", kernel.span};
  std::vector<Query> queries;
  std::set<std::string> unfinished;
  for (const std::string& name : kernel.results()) unfinished.insert(name);
  std::set<std::string> begun;
  try {
    for (const lang::Equation& equation : kernel.equations) {
      const std::string& name = equation.access().tensor;
      if (!begun.insert(name).second)
        return NoQuery{name + " is made by several equations, each of a part", equation.span};
      queries.push_back(Translating(program, values, unfinished).of(equation));
      if (longest(queries.back().expr) > most_counted)
        return NoQuery{
            "a dimension of " + std::to_string(longest(queries.back().expr)) + " is too long for degrees by coordinate",
            equation.span};
      unfinished.erase(name);
    }
  } catch (NoQuery& refused) { return std::move(refused); }
  return queries;
}

}  // namespace trellis::lazy
