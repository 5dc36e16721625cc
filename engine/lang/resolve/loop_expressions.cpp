// Expressions of loop programs: typed where they stand, with the ranges that their accesses imply.

#include "engine/lang/resolve/loops.hpp"
#include "engine/lang/resolve/operators.hpp"

namespace trellis::lang::resolving {

using format::ScalarType;
using math::Affine;

Expr LoopReader::expr(const syntax::Expr& written, std::optional<ScalarType> wanted) {
  bool sound = true;
  std::vector<syntax::Expr> around{written};
  for (const std::string& name : scope_)
    around.push_back(syntax::Expr(syntax::ExprNode{syntax::Reference{{name, {}}, {}, {}, {}}, {}}));
  const syntax::Expr plain =
      write_out_slices(resolution_, write_out_functions(resolution_, around, written, sound), sound);
  const syntax::Expr source = sound ? with_operators(plain, around, sound) : plain;
  if (!sound) return {};
  for (OpenLoop& open : open_) collect_ranges(resolution_, source, open.name, open.ranges);
  const Draft no_equation;
  Elaborator elaborator(
      resolution_, no_equation, scope_,
      [this](const syntax::Expr& e, const syntax::Reference& r, ScalarType type) { return reduce(e, r, type); });
  const Expr typed = wanted ? elaborator.elaborate(source, *wanted) : elaborator.elaborate(source);
  return typed ? with_lets(typed) : typed;
}

/// Below a reduction all is known from what was done around it.
syntax::Expr LoopReader::with_operators(const syntax::Expr& source, const std::vector<syntax::Expr>& around,
                                        bool& sound) {
  if (reductions_ > 0) return source;
  std::vector<syntax::Expr> others = around;
  others.front() = syntax::name_expr("", {});  // the expression itself
  const syntax::Expr apart = write_out_operators(resolution_, others, {}, source, sound);
  std::map<std::string, Affine> known = loop_sizes_;
  if (assigned_)
    for (const OpenLoop& open : open_) {
      std::vector<Range> ranges;
      collect_ranges(resolution_, *assigned_, open.name, ranges);
      if (!ranges.empty()) known.emplace(open.name, ranges[0].size);
    }
  if (sound) measure_operators(resolution_, apart, std::move(known), {}, sound, Measuring::reporting);
  return apart;
}

/// A bound may be a tensor's value of any integer type: `for k in ptr(i):ptr(i+1)`.
Expr LoopReader::bound(const syntax::Expr& source) {
  const Natural own = types().of(source);
  if (own.kind != Natural::Kind::fixed || !format::is_integer(own.type)) return expr(source, ScalarType::i64);
  const Expr typed = expr(source, own.type);
  return typed ? cast(ScalarType::i64, typed) : typed;
}

/// Lets that are no index take part as scalars until here, because their type is fixed.
Expr LoopReader::with_lets(const Expr& e) const {
  const auto* access = e.as<Access>();
  if (access && lets_.contains(access->tensor))
    return Expr(ExprNode{Variable{access->tensor}, e->type, e->span}, e.origin(), e.id());
  return map_children(e, [&](const Expr& child) { return with_lets(child); });
}

Expr LoopReader::reduce(const syntax::Expr& e, const syntax::Reference& r, ScalarType wanted) {
  const auto op = reduction_of(resolution_, r);
  if (!op || !r.body) {
    resolution_.error("E0213", e->span, r.name.text + (op ? " needs a variable and a body" : " is no reduction"),
                      op ? "as in " + r.name.text + "(k)(x(k))" : "");
    return {};
  }
  const Binder bound = binder(r, [&](const std::string& name) {
    return is_bound(name) || resolution_.is_parameter(name) || resolution_.tensor(name);
  });
  if (bound.malformed || bound.variables.empty()) {
    resolution_.error("E0213", bound.malformed ? (*bound.malformed)->span : e->span,
                      r.name.text + (bound.malformed ? " binds names and comparisons of names" : " binds no variable"));
    return {};
  }
  if (format::is_arg(*op) && bound.variables.size() != 1) {
    report_conditional_position(resolution_, e, r);
    return {};
  }
  for (const syntax::Name& name : bound.variables)
    if (!is_free(name)) return {};
  const std::size_t outer = scope_.size();
  for (const std::string& name : bound.names()) scope_.push_back(name);
  ++reductions_;
  auto domain = reduction_domain(e, r, bound);
  Expr body;
  if (*op == format::ReduceOp::any || *op == format::ReduceOp::all) {
    body = expr(*r.body, ScalarType::boolean);
  } else {
    const Natural own = types().of(*r.body);
    const bool free = own.kind != Natural::Kind::fixed && !format::is_arg(*op) && !format::is_boolean(wanted);
    body = expr(*r.body, free || takes_width(*op, own, wanted) ? wanted : default_type(own));
  }
  --reductions_;
  scope_.resize(outer);
  if (!body || !domain) return {};
  const bool user = *op == format::ReduceOp::user;
  const bool numeric = !user && !format::is_arg(*op) && *op != format::ReduceOp::any && *op != format::ReduceOp::all;
  if (numeric && format::is_boolean(body->type)) {
    resolution_.error("E0223", e->span, r.name.text + " is not defined for bool")
        .notes.push_back({{}, "use any or all, or convert, as in i64(x)"});
    return {};
  }
  const ScalarType type = format::is_arg(*op) ? ScalarType::i64 : body->type;
  const std::optional<std::string> function = user ? reducing(resolution_, e, r, type) : "";
  if (!function) return {};
  return Expr(ExprNode{Reduce{*op, std::move(*domain), body, *function}, type, e->span});
}

/// Its variables in an order in which each has bounds in what stands before it.
std::optional<math::Domain> LoopReader::reduction_domain(const syntax::Expr& e, const syntax::Reference& r,
                                                         const Binder& bound) {
  math::Domain domain{{}, {}};
  bool sound = true;
  for (const std::string& name : bound.names()) {
    std::vector<Range> ranges;
    collect_ranges(resolution_, *r.body, name, ranges);
    if (auto range = common_range(resolution_, name, ranges, sound)) {
      domain.constraints.push_back({Affine(0), math::Relation::less_equal, Affine::name(name)});
      domain.constraints.push_back({Affine::name(name), math::Relation::less, range->size});
    }
  }
  for (const syntax::Expr& condition : bound.conditions) {
    const Expr typed = expr(condition, ScalarType::boolean);
    auto constraints = typed ? affine_condition(typed) : std::nullopt;
    if (constraints) domain.constraints.insert(domain.constraints.end(), constraints->begin(), constraints->end());
    else sound = false;
    if (typed && !constraints) report_restriction(resolution_, condition->span);
  }
  std::vector<std::string> left = bound.names();
  const auto bounded = [&](const std::string& name) {
    bool below = false, above = false;
    for (const math::Constraint& c : domain.constraints) {
      const bool waits =
          std::any_of(left.begin(), left.end(), [&](const std::string& o) { return o != name && c.mentions(o); });
      below = below || (!waits && bounds_below(c, name));
      above = above || (!waits && bounds_above(c, name));
    }
    return below && above;
  };
  while (sound && !left.empty()) {
    const auto next = std::find_if(left.begin(), left.end(), bounded);
    if (next == left.end()) {
      resolution_
          .error("E0302", e->span, "nothing says how far " + left.front() + " ranges",
                 left.front() + " indexes no dimension alone")
          .notes.push_back({{},
                            "restrict it in place, as in " + r.name.text + "(0 <= " + left.front() + ", " +
                                left.front() + " < n)(…)"});
      return std::nullopt;
    }
    domain.variables.push_back(*next);
    left.erase(next);
  }
  return sound ? std::optional(domain) : std::nullopt;
}

}  // namespace trellis::lang::resolving
