#include "engine/place/fragment.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/lang/known_where.hpp"
#include "engine/math/solver.hpp"
#include "engine/place/bounds.hpp"
#include "engine/place/copies.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using math::Affine;
using math::Constraint;
using math::Domain;
using Names = std::vector<std::string>;

void add_new(std::vector<Constraint>& to, const std::vector<Constraint>& more) {
  for (const Constraint& c : more) add_once(to, c);
}

std::set<std::string> names_of(const Constraint& c) {
  std::set<std::string> names;
  c.left.collect_names(names);
  c.right.collect_names(names);
  return names;
}

void collect_variables(const Expr& expr, std::set<std::string>& into) {
  if (const auto* v = expr.as<lang::Variable>()) into.insert(v->name);
  lang::for_each_child(expr, [&](const Expr& child) { collect_variables(child, into); });
}

/// A variable that an equality gives, and what it equals: the last one, so that names of the left side stay.
std::optional<std::pair<std::string, Affine>> solve(const Constraint& c, const Names& variables) {
  if (c.relation != math::Relation::equal) return std::nullopt;
  Affine form = c.left - c.right;
  for (auto v = variables.rbegin(); v != variables.rend(); ++v) {
    std::int64_t factor = form.coefficient(*v);
    if (factor != 1 && factor != -1) continue;
    Affine rest = form - Affine::name(*v, factor);
    if (!rest.mentions(*v)) return std::pair{*v, -factor * rest};
  }
  return std::nullopt;
}

using Replacements = std::map<std::string, Affine>;

/// Removes the variables that equalities give (docs/design/placement.md#fragments).
void eliminate(Domain& domain, Replacements& replaced) {
  for (std::size_t k = 0; k < domain.constraints.size(); ++k) {
    auto solution = solve(domain.constraints[k], domain.variables);
    if (!solution) continue;
    Replacements one{{solution->first, solution->second}};
    for (auto& [name, value] : replaced) value = value.substitute(one);
    replaced[solution->first] = solution->second;
    domain.constraints.erase(domain.constraints.begin() + static_cast<std::ptrdiff_t>(k));
    std::erase(domain.variables, solution->first);
    domain = domain.substitute(one);
    k = static_cast<std::size_t>(-1);
  }
}

}  // namespace

void keep_variable(Domain& domain, const std::string& variable) {
  std::vector<Constraint> constraints;
  for (const Constraint& c : domain.constraints) {
    const Affine form = c.left - c.right;
    const bool alone = std::all_of(domain.variables.begin(), domain.variables.end(),
                                   [&](const std::string& v) { return form.mentions(v) == (v == variable); });
    if (c.relation != math::Relation::equal || !alone) {
      constraints.push_back(c);
      continue;
    }
    constraints.push_back({c.left, math::Relation::less_equal, c.right});
    constraints.push_back({c.left, math::Relation::greater_equal, c.right});
  }
  domain.constraints = std::move(constraints);
}

Replacements substitute_equalities(Domain& domain) {
  Replacements replaced;
  eliminate(domain, replaced);
  return replaced;
}

namespace {

/// Takes the reductions out of one equation.
class Fragmenter {
 public:
  Fragmenter(const lang::Program& program, math::Solver& solver, const lang::Equation& equation, int number,
             std::string name, Fragments& out)
      : program_(program), solver_(solver), equation_(equation), number_(number), name_(std::move(name)), out_(out) {}

  void run() {
    Domain domain = equation_.domain;
    around_ = domain;
    eliminate(domain, replaced_);
    left_ = lift(equation_.left, domain);
    if (equation_.right.as<lang::Reduce>() && !equation_.access().step) {
      reduce(equation_.right, domain, Target::result);
      return;
    }
    Fragment f = begin(name_, equation_.span);
    f.value = lift(equation_.right, domain);
    f.domain = domain;
    f.write = *left_.as<lang::Access>();
    f.write_index = indices(f.write);
    add(std::move(f));
  }

  /// The equation's right side as the condition of an `until`: a scalar that each step overwrites.
  void run_condition(const std::string& timestep) {
    left_ = equation_.left;
    around_ = equation_.domain;
    Fragment f = begin(name_, equation_.span);
    f.kind = Fragment::Kind::until;
    f.value = lift(equation_.right, equation_.domain);
    f.domain = equation_.domain;
    f.write = {fresh("stop"), {}, {}};
    f.write_index = {Affine::name(timestep)};
    f.temporary = true;
    out_.temporaries.push_back({f.write.tensor,
                                {},
                                {},
                                format::ScalarType::boolean,
                                format::Value::truth(false),
                                lang::TensorInfo::Kind::temporary,
                                equation_.span});
    add(std::move(f));
  }

 private:
  enum class Target { result, temporary };

  Expr lift(const Expr& e, const Domain& scope) {
    if (const auto* v = e.as<lang::Variable>()) {
      auto at = replaced_.find(v->name);
      return at == replaced_.end() ? e : lang::to_expr(at->second, equation_.domain.variables);
    }
    if (e.as<lang::Reduce>()) return reduce(e, scope, Target::temporary);
    if (const auto* s = e.as<lang::Select>()) {
      Expr condition = lift(s->condition, scope);
      lang::Select lifted{condition, lift_under(s->then, scope, lang::known_where(condition)),
                          lift_under(s->otherwise, scope, lang::known_where_not(condition))};
      return Expr({std::move(lifted), e->type, e->span}, e.origin(), e.id());
    }
    if (const auto* b = e.as<lang::Binary>(); b && format::is_logical(b->op)) {
      Expr left = lift(b->left, scope);
      const bool holds = b->op == format::BinaryOp::logical_and;
      Expr right = lift_under(b->right, scope, holds ? lang::known_where(left) : lang::known_where_not(left));
      return Expr({lang::Binary{b->op, left, right}, e->type, e->span}, e.origin(), e.id());
    }
    return lang::map_children(e, [&](const Expr& child) { return lift(child, scope); });
  }

  Expr lift_under(const Expr& e, Domain scope, const std::vector<Constraint>& guards) {
    const Domain outside = around_;
    add_new(scope.constraints, guards);
    add_new(around_.constraints, guards);
    Expr result = lift(e, scope);
    around_ = outside;
    return result;
  }

  /// The accumulation of one reduction; returns the access that stands for its result.
  Expr reduce(const Expr& e, const Domain& scope, Target target) {
    const lang::Reduce& r = *e.as<lang::Reduce>();
    const Replacements outer = replaced_;
    const Domain outside = around_;
    around_.variables.insert(around_.variables.end(), r.domain.variables.begin(), r.domain.variables.end());
    add_new(around_.constraints, r.domain.constraints);
    Domain own = r.domain.substitute(replaced_);
    eliminate(own, replaced_);
    Domain inner{scope.variables, scope.constraints};
    inner.variables.insert(inner.variables.end(), own.variables.begin(), own.variables.end());
    add_new(inner.constraints, own.constraints);
    Expr body = lift(r.body, inner);
    Expr variable = format::is_arg(r.op) ? lift(lang::variable(r.domain.variables.at(0)), inner) : Expr();
    replaced_ = outer;

    bool direct = target == Target::result;
    std::string name = direct ? name_ : fresh("t" + name_);
    Fragment f = begin(name, e->span);
    f.op = r.op;
    f.function = r.function;
    if (r.op == format::ReduceOp::user) {
      const lang::FunctionProperties& p = program_.function(r.function)->properties;
      f.chained = !p.commutative || !p.associative;
    }
    f.value = body;
    f.argument = variable;
    f.initialised = direct ? scope : elements(body, own, scope);
    f.domain = {f.initialised.variables, f.initialised.constraints};
    f.reduced = own.variables;
    f.domain.variables.insert(f.domain.variables.end(), own.variables.begin(), own.variables.end());
    add_new(f.domain.constraints, own.constraints);
    f.temporary = !direct;
    Expr access = direct ? left_ : temporary(name, e->type, f.initialised);
    f.write = *access.as<lang::Access>();
    f.write_index = indices(f.write);
    if (format::is_arg(r.op)) f.best = *best(name, body->type, f, direct).template as<lang::Access>();
    add(std::move(f));
    around_ = outside;
    return access;
  }

  /// The elements of a temporary: the free variables of its reduction, over the enclosing domain seen from them.
  Domain elements(const Expr& body, const Domain& own, const Domain& scope) {
    std::set<std::string> used;
    collect_variables(body, used);
    for (const Constraint& c : own.constraints) used.merge(names_of(c));
    Domain result;
    for (const std::string& v : scope.variables) {
      if (used.count(v)) result.variables.push_back(v);
    }
    bool hidden = false;
    for (const Constraint& c : scope.constraints) {
      std::set<std::string> names = names_of(c);
      bool visible = std::all_of(names.begin(), names.end(), [&](const std::string& n) {
        return contains(result.variables, n) || !contains(scope.variables, n);
      });
      if (visible) add_new(result.constraints, {c});
      else hidden = true;
    }
    if (!hidden) return result;
    std::vector<Domain> seen = solver_.project(scope, result.variables);
    // A union has no place in one domain: then the temporary is indexed by everything around it.
    if (seen.size() != 1) return scope;
    add_new(result.constraints, solver_.gist(seen[0], result));
    return result;
  }

  Expr temporary(const std::string& name, format::ScalarType type, const Domain& elements) {
    lang::TensorInfo info{
        name, {}, {}, type, format::Value::of_integer(type, 0), lang::TensorInfo::Kind::temporary, equation_.span};
    lang::Access access{name, {}, std::nullopt};
    for (const std::string& v : elements.variables) {
      auto [low, high] = extent(v, elements);
      info.shape.push_back(high - low);
      access.indices.push_back(lang::to_expr(Affine::name(v) - low, elements.variables));
    }
    info.format = format::Format::dense(static_cast<int>(info.shape.size()));
    out_.temporaries.push_back(info);
    return Expr({std::move(access), type, equation_.span});
  }

  /// argmin and argmax keep the best value so far beside the index, at the same element.
  Expr best(const std::string& name, format::ScalarType type, const Fragment& f, bool direct) {
    const lang::TensorInfo* written = direct ? program_.tensor(f.write.tensor) : &out_.temporaries.back();
    lang::TensorInfo info{fresh("best_" + name),
                          written->shape,
                          written->format,
                          type,
                          format::Value::of_integer(type, 0),
                          lang::TensorInfo::Kind::temporary,
                          equation_.span};
    lang::Access access{info.name, f.write.indices, std::nullopt};
    out_.temporaries.push_back(info);
    return Expr({std::move(access), type, equation_.span});
  }

  /// Sizes alone, starting at 0 where that is known, so that a shape is never negative.
  std::pair<Affine, Affine> extent(const std::string& v, const Domain& elements) {
    auto size = [&](const std::string& n) { return !contains(elements.variables, n); };
    Bounds bounds = bounds_of(v, elements.constraints, size);
    if (bounds.lows.empty() || bounds.highs.empty()) {
      for (const Domain& d : solver_.project(elements, {v})) {
        Bounds more = bounds_of(v, d.constraints, size);
        bounds.lows.insert(bounds.lows.end(), more.lows.begin(), more.lows.end());
        bounds.highs.insert(bounds.highs.end(), more.highs.begin(), more.highs.end());
      }
    }
    Affine low = bounds.lows.empty() ? Affine(0) : bounds.lows[0];
    if (low.is_constant() && low.constant > 0) low = 0;
    return {low, bounds.highs.empty() ? low : bounds.highs[0]};
  }

  std::vector<Affine> indices(const lang::Access& access) const {
    std::vector<Affine> result;
    if (access.step) result.push_back(lang::affine(*access.step).value_or(Affine(0)) + Affine(1));
    for (const Expr& index : access.indices) result.push_back(lang::affine(index).value_or(Affine(0)));
    return result;
  }

  std::string fresh(std::string name) const {
    auto taken = [&] {
      return program_.tensor(name) || program_.parameter(name) ||
             std::any_of(out_.temporaries.begin(), out_.temporaries.end(),
                         [&](const auto& t) { return t.name == name; });
    };
    for (std::string stem = name + "_"; taken(); name = stem) stem = name + "_";
    return name;
  }

  Fragment begin(const std::string& name, text::Span span) const {
    Fragment f;
    f.name = name;
    f.equation = number_;
    f.origin = {{text::Stage::equations, equation_.id}};
    f.span = span;
    return f;
  }

  void add(Fragment f) {
    f.id = static_cast<int>(out_.fragments.size());
    f.around = around_;
    collect_reads(f.value, {}, f.reads);
    for (const Expr& index : f.write.indices) collect_reads(index, {}, f.reads);
    out_.fragments.push_back(std::move(f));
  }

  static void collect_reads(const Expr& e, const std::vector<Constraint>& guards, std::vector<Read>& reads) {
    auto guarded = [&](const Expr& child, const std::vector<Constraint>& more) {
      std::vector<Constraint> all = guards;
      add_new(all, more);
      collect_reads(child, all, reads);
    };
    if (const auto* s = e.as<lang::Select>()) {
      guarded(s->condition, {});
      guarded(s->then, lang::known_where(s->condition));
      return guarded(s->otherwise, lang::known_where_not(s->condition));
    }
    if (const auto* b = e.as<lang::Binary>(); b && format::is_logical(b->op)) {
      guarded(b->left, {});
      const bool holds = b->op == format::BinaryOp::logical_and;
      return guarded(b->right, holds ? lang::known_where(b->left) : lang::known_where_not(b->left));
    }
    lang::for_each_child(e, [&](const Expr& child) { guarded(child, {}); });
    const auto* access = e.as<lang::Access>();
    if (!access) return;
    Read read{*access, {}, guards, e->span};
    if (access->step) read.index.push_back(*lang::affine(*access->step) + Affine(1));
    for (const Expr& index : access->indices) read.index.push_back(lang::affine(index));
    bool known = std::any_of(reads.begin(), reads.end(),
                             [&](const Read& r) { return r.access == read.access && r.guards == read.guards; });
    if (!known) reads.push_back(std::move(read));
  }

  const lang::Program& program_;
  math::Solver& solver_;
  const lang::Equation& equation_;
  int number_;
  std::string name_;
  Fragments& out_;
  Replacements replaced_;
  Domain around_;
  Expr left_;
};

}  // namespace

std::string name_of_reduction(const Fragment& f) {
  return f.op == format::ReduceOp::user ? lang::definition_of(f.function) : std::string(format::name_of(*f.op));
}

std::vector<int> fragments_that_write(const Fragments& fragments, const std::string& tensor) {
  std::vector<int> ids;
  for (const Fragment& f : fragments.fragments)
    if (f.write.tensor == tensor) ids.push_back(f.id);
  return ids;
}

Fragments fragment(const lang::Program& program, const lang::Kernel& kernel) {
  math::Solver solver(lang::size_assumptions(program));
  Fragments result;
  std::map<std::string, int> defining, seen;
  for (const lang::Equation& e : kernel.equations) ++defining[e.access().tensor];
  for (std::size_t k = 0; k < kernel.equations.size(); ++k) {
    const std::string& tensor = kernel.equations[k].access().tensor;
    std::string name = defining[tensor] > 1 ? tensor + std::to_string(++seen[tensor]) : tensor;
    lang::Equation equation = kernel.equations[k];
    if (kernel.until) keep_variable(equation.domain, kernel.until->variable);
    Fragmenter(program, solver, equation, static_cast<int>(k), name, result).run();
  }
  add_copies(program, kernel, solver, result);
  if (!kernel.until) return result;
  const lang::Until& until = *kernel.until;
  const auto stepped = std::find_if(kernel.equations.begin(), kernel.equations.end(),
                                    [](const auto& e) { return e.access().step.has_value(); });
  lang::Equation condition{stepped->left, until.condition, until.domain, until.span, stepped->id, stepped->origin};
  Fragmenter(program, solver, condition, static_cast<int>(stepped - kernel.equations.begin()), "until", result)
      .run_condition(until.variable);
  for (Fragment& f : result.fragments)
    if (contains(f.domain.variables, until.variable)) f.step = until.variable;
  return result;
}

}  // namespace trellis::place
