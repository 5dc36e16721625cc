// Drafts to typed equations: which domain each range and constraint belongs to.

#include <algorithm>

#include "engine/lang/resolve/number_nodes.hpp"
#include "engine/lang/resolve/operators.hpp"
#include "engine/lang/resolve/types.hpp"
#include "engine/lang/resolve/walk.hpp"
#include "engine/lang/resolve/written_constraints.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang::resolving {

using format::ReduceOp;
using format::ScalarType;
using math::Affine;
using math::Constraint;
using math::Relation;
using Names = std::vector<std::string>;

namespace {

class EquationBuilder {
 public:
  EquationBuilder(Resolution& resolution, const KernelDraft& kernel, Draft& draft)
      : resolution_(resolution),
        kernel_(kernel),
        draft_(draft),
        scope_(draft.variables),
        elaborator_(resolution, draft, scope_,
                    [this](const syntax::Expr& e, const syntax::Reference& r, ScalarType wanted) {
                      return build_reduce(e, r, wanted);
                    }) {}

  std::optional<Equation> build() {
    measure_operators(resolution_, draft_, Measuring::reporting);
    if (!draft_.sound) return std::nullopt;
    constraints_ = read_constraints(resolution_, draft_);
    Equation equation;
    equation.span = draft_.span;
    equation.domain = left_domain();
    equation.left = left_access();
    const TensorInfo& info = *resolution_.tensor(draft_.tensor);
    equation.right = elaborator_.elaborate(draft_.right, info.type);
    for (const WrittenConstraint& c : constraints_)
      if (equation.right && !c.reduced.empty() && !c.placed) {
        report_unplaced(resolution_, c);
        draft_.sound = false;
      }
    if (!equation.right || !draft_.sound) return std::nullopt;
    for (const WrittenConstraint& c : constraints_)
      for (const auto& [name, range] : ranges_)
        warn_if_beyond(resolution_, draft_, {c.constraint, c.span}, name, range);
    return equation;
  }

  /// The draft's right side as the condition of an `until`.
  Expr build_condition() {
    measure_operators(resolution_, draft_, Measuring::reporting);
    return elaborator_.elaborate(draft_.right, ScalarType::boolean);
  }

 private:
  Expr left_access() {
    const TensorInfo& info = *resolution_.tensor(draft_.tensor);
    Access access{draft_.tensor, {}, {}};
    for (const LeftIndex& index : draft_.left) {
      const Expr form = to_expr(index.form(), draft_.variables);
      access.indices.push_back(Expr(ExprNode{form->is, form->type, index.span}));
    }
    if (draft_.step) {
      const Expr form = to_expr(draft_.step->form(), draft_.variables);
      access.step = Expr(ExprNode{form->is, form->type, draft_.step->span});
    }
    return Expr(ExprNode{std::move(access), info.type, draft_.left_span});
  }

  math::Domain left_domain() {
    math::Domain domain{draft_.variables, {}};
    std::map<std::string, Affine> sizes;
    const TensorInfo& info = *resolution_.tensor(draft_.tensor);
    for (const std::string& name : draft_.variables) {
      std::vector<Range> ranges;
      for (std::size_t d = 0; d < draft_.left.size(); ++d)
        if (draft_.left[d].alone && draft_.left[d].name == name)
          ranges.push_back({info.shape[d], draft_.left[d].span, info.name, static_cast<int>(d)});
      collect_right_ranges(name, ranges);
      const bool bounded = std::ranges::any_of(constraints_, [&](const WrittenConstraint& c) {
        return c.reduced.empty() && bounds_above(c.constraint, name);
      });
      const TwoSizes two = bounded ? TwoSizes::constrained : TwoSizes::refused;
      const auto range = common_range(resolution_, name, ranges, draft_.sound, two, &draft_);
      if (range) sizes.emplace(name, range->size), ranges_.emplace(name, *range);
      else if (const Affine* size = timestep_size(name)) sizes.emplace(name, *size);
    }
    for (const std::string& name : draft_.variables)
      if (auto size = sizes.find(name); size != sizes.end()) add_range(domain, name, size->second);
    for (Constraint& bound : left_bounds(resolution_, draft_, sizes)) {
      check_possible(bound);
      domain.constraints.push_back(std::move(bound));
    }
    bound_step(domain, sizes);
    for (const WrittenConstraint& c : constraints_)
      if (c.reduced.empty() && !is_timestep_range(domain, c.constraint)) domain.constraints.push_back(c.constraint);
    for (const std::string& name : draft_.variables)
      if (!sizes.count(name)) require_bounds(domain, name, draft_.left_span);
    return domain;
  }

  /// Numbers that are larger than all of a declared left side, `r(i) = b(i)` of 10 and 12 elements, say nothing of
  /// their own.
  void collect_right_ranges(const std::string& name, std::vector<Range>& ranges) const {
    const std::vector<Range> left = ranges;
    collect_ranges(resolution_, draft_.right, name, ranges);
    if (left.empty() || resolution_.tensor(draft_.tensor)->kind != TensorInfo::Kind::declared) return;
    const auto within = [](const Range& one, const Range& other) {
      return one.size.is_constant() && other.size.is_constant() && one.size.constant <= other.size.constant;
    };
    const auto first = ranges.begin() + static_cast<std::ptrdiff_t>(left.size());
    const auto kept = std::remove_if(first, ranges.end(), [&](const Range& right) {
      return std::ranges::all_of(left, [&](const Range& one) { return within(one, right); });
    });
    ranges.erase(kept, ranges.end());
  }

  const Affine* timestep_size(const std::string& name) const {
    const auto size = kernel_.timestep_sizes.find(name);
    return draft_.step && draft_.step->name == name && size != kernel_.timestep_sizes.end() ? &size->second : nullptr;
  }

  /// `t < 100` gave the timestep its range.
  bool is_timestep_range(const math::Domain& domain, const Constraint& c) const {
    const auto name = c.left.as_name();
    return name && timestep_size(*name) && contains(domain.constraints, c);
  }

  /// Steps begin at -1.
  void bound_step(math::Domain& domain, const std::map<std::string, Affine>& sizes) {
    if (!draft_.step) return;
    const Constraint bound{Affine(-1), Relation::less_equal, draft_.step->form()};
    check_possible(bound);
    if (draft_.step->kind != LeftIndex::Kind::constant && (!sizes.count(draft_.step->name) || draft_.step->offset < -1))
      domain.constraints.push_back(bound);
  }

  static void add_range(math::Domain& domain, const std::string& name, const Affine& size) {
    domain.constraints.push_back({Affine(0), Relation::less_equal, Affine::name(name)});
    domain.constraints.push_back({Affine::name(name), Relation::less, size});
  }

  void check_possible(const Constraint& bound) {
    if (bound.holds([](const std::string&) { return std::nullopt; }).value_or(true)) return;
    resolution_.error("E0307", draft_.left_span, "this element does not exist: " + to_string(bound) + " is false");
    draft_.sound = false;
  }

  void require_bounds(const math::Domain& domain, const std::string& name, text::Span span) {
    bool below = false;
    bool above = false;
    for (const Constraint& c : domain.constraints) {
      below = below || bounds_below(c, name);
      above = above || bounds_above(c, name);
    }
    if (below && above) return;
    draft_.sound = false;
    if (names_something_unknown(draft_.right)) return;  // which is reported, and may say how far it ranges
    auto& diagnostic = resolution_.error("E0302", span, "nothing says how far " + name + " ranges",
                                         name + " indexes no dimension alone");
    const char* missing = below ? " < n" : above ? "0 <= " : "";
    diagnostic.notes.push_back({{},
                                "write its bounds after ':', as in " + (above && !below ? missing + name
                                                                        : below         ? name + missing
                                                                                        : "0 <= " + name + " < n")});
  }

  bool names_something_unknown(const syntax::Expr& e) const {
    const auto* r = e.as<syntax::Reference>();
    const bool access = r && r->arguments && kind_of(resolution_, *r) == ReferenceKind::access;
    bool unknown = access && !resolution_.has_meaning(r->name.text);
    for_each_child(e, [&](const syntax::Expr& child) { unknown = unknown || names_something_unknown(child); });
    return unknown;
  }

  Expr build_reduce(const syntax::Expr& e, const syntax::Reference& r, ScalarType wanted) {
    const Binder bound = binder_in(resolution_, r, scope_);
    const auto op = reduction_of(resolution_, r);
    if (!check_form(e, r, bound)) return {};
    const std::size_t outer = scope_.size();
    for (const std::string& name : bound.names()) scope_.push_back(name);
    math::Domain domain = reduction_domain(e, *r.body, bound);
    Expr body = build_body(e, *r.body, *op, wanted);
    scope_.resize(outer);
    if (!body || !draft_.sound) return {};
    const ScalarType type = format::is_arg(*op) ? ScalarType::i64 : body->type;
    const std::optional<std::string> function = op == ReduceOp::user ? reducing(resolution_, e, r, type) : "";
    if (!function) return {};
    return Expr(ExprNode{Reduce{*op, std::move(domain), body, *function}, type, e->span});
  }

  bool check_form(const syntax::Expr& e, const syntax::Reference& r, const Binder& bound) {
    const std::string& name = r.name.text;
    const auto op = reduction_of(resolution_, r);
    if (!op) {
      resolution_.error("E0201", r.name.span, name + " is no reduction")
          .notes.push_back({{}, "reductions: sum prod min max any all argmin argmax"});
    } else if (!r.body) {
      resolution_.error("E0213", e->span, name + " needs a variable and a body, as in " + name + "(k)(x(k))");
    } else if (bound.malformed) {
      resolution_.error("E0213", (*bound.malformed)->span, name + " binds names and comparisons of names", "neither");
    } else if (bound.variables.empty()) {
      resolution_.error("E0213", e->span, name + " binds no variable", "name one, as in " + name + "(k)(x(k))");
    } else if (format::is_arg(*op) && bound.variables.size() != 1) {
      report_conditional_position(resolution_, e, r);
    } else {
      return true;
    }
    return false;
  }

  Expr build_body(const syntax::Expr& e, const syntax::Expr& body, ReduceOp op, ScalarType wanted) {
    if (op == ReduceOp::any || op == ReduceOp::all) return elaborator_.elaborate(body, ScalarType::boolean);
    Expr built = elaborator_.elaborate(body, body_type(body, op, wanted));
    if (!built || !format::is_boolean(built->type) || op == ReduceOp::user || format::is_arg(op)) return built;
    auto& diagnostic =
        resolution_.error("E0223", e->span, std::string(format::name_of(op)) + " is not defined for bool");
    diagnostic.notes.push_back({{}, "any and all are defined for bool"});
    if (draft_.source) offer(draft_, rewritten(draft_, body, as_number(body)), "1 where it holds", diagnostic);
    return {};
  }

  /// A flexible body takes the type of the result, unless the result is an index; so do integers that are added up.
  ScalarType body_type(const syntax::Expr& body, ReduceOp op, ScalarType wanted) {
    const Natural own = NaturalTypes(resolution_).of(body);
    if (takes_width(op, own, wanted)) return wanted;
    const bool free = own.kind != Natural::Kind::fixed && !format::is_arg(op) && !format::is_boolean(wanted);
    return free ? wanted : default_type(own);
  }

  math::Domain reduction_domain(const syntax::Expr& e, const syntax::Expr& body, const Binder& bound) {
    math::Domain domain{bound.names(), {}};
    Names unranged;
    for (const std::string& name : domain.variables) {
      std::vector<Range> ranges;
      collect_ranges(resolution_, body, name, ranges);
      const auto range = common_range(resolution_, name, ranges, draft_.sound, TwoSizes::refused, &draft_);
      if (range) add_range(domain, name, range->size), ranges_.emplace(name, *range);
      else unranged.push_back(name);
    }
    for (const syntax::Expr& condition : bound.conditions) {
      Expr typed = elaborator_.elaborate(condition, ScalarType::boolean);
      auto constraints = typed ? affine_condition(typed) : std::nullopt;
      if (constraints) domain.constraints.insert(domain.constraints.end(), constraints->begin(), constraints->end());
      else draft_.sound = false;
      if (typed && !constraints) report_restriction(resolution_, condition->span);
    }
    for (WrittenConstraint& c : constraints_)
      if (belongs(c, domain.variables)) {
        domain.constraints.push_back(c.constraint);
        c.placed = true;
      }
    for (const std::string& name : unranged) require_bounds(domain, name, e->span);
    return domain;
  }

  /// Does the constraint restrict the reduction over `bound`, all of its other names being bound outside?
  bool belongs(const WrittenConstraint& c, const Names& bound) const {
    bool own = false;
    for (const std::string& name : c.reduced) {
      if (!contains(scope_, name)) return false;
      own = own || contains(bound, name);
    }
    return own;
  }

  Resolution& resolution_;
  const KernelDraft& kernel_;
  Draft& draft_;
  Names scope_;
  Elaborator elaborator_;
  std::vector<WrittenConstraint> constraints_;
  std::map<std::string, Range> ranges_;  ///< of the variables that index dimensions
};

/// The condition of the kernel's `until`, over the timestep.
std::optional<Until> build_until(Resolution& resolution, const KernelDraft& kernel) {
  if (kernel.untils.empty()) return std::nullopt;
  const KernelDraft::Until& written = kernel.untils.back();
  const auto used = std::find_if(kernel.timestep_sizes.begin(), kernel.timestep_sizes.end(),
                                 [&](const auto& t) { return mentions_any(written.source->condition, {t.first}); });
  if (used == kernel.timestep_sizes.end()) return std::nullopt;  // reported with the timesteps
  syntax::Equation unconstrained{written.source->condition, written.source->condition, {}};
  Draft draft;
  draft.source = &unconstrained;
  draft.span = written.span;
  draft.variables = {used->first};
  draft.right = write_out_functions(resolution, {written.source->condition}, written.source->condition, draft.sound);
  draft.right = write_out_operators(resolution, {}, {}, draft.right, draft.sound);
  Expr condition = EquationBuilder(resolution, kernel, draft).build_condition();
  if (!condition || !draft.sound) return std::nullopt;
  const Affine t = Affine::name(used->first);
  return Until{condition,
               used->first,
               {{used->first}, {{Affine(0), Relation::less_equal, t}, {t, Relation::less, used->second}}},
               written.span};
}

}  // namespace

void build_equations(Resolution& resolution) {
  for (KernelDraft& draft : resolution.kernels) {
    NodeNumbers numbering(
        resolution.first_number);  // of each kernel its own: what changes in one is no change of another
    Kernel kernel;
    kernel.name = draft.name;
    kernel.span = draft.span;
    for (Draft& equation : draft.equations) {
      if (!equation.sound) continue;
      auto built = EquationBuilder(resolution, draft, equation).build();
      if (!built) continue;
      numbering.number(*built, *equation.source);
      kernel.equations.push_back(std::move(*built));
    }
    kernel.timesteps = draft.timesteps;
    kernel.until = build_until(resolution, draft);
    if (kernel.until) numbering.number(*kernel.until, *draft.untils.back().source);
    resolution.program.kernels.push_back(std::move(kernel));
  }
}

}  // namespace trellis::lang::resolving
