// Resolved equations as the language writes them. What a reader of the text would infer again is left out: ranges,
// bounds of the left side, and conversions of indices and parameters.

#include <algorithm>

#include "engine/lang/program.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang {

using math::Affine;
using math::Constraint;
using math::Relation;

namespace {

class EquationPrinter {
 public:
  EquationPrinter(text::TextBuilder& out, const Program& program) : out_(out), program_(program) {}

  void print(const Until& until) {
    inferred_.clear();
    unsized_ = nullptr;
    add_ranges(until.condition, inferred_);
    out_ << "until ";
    lang::print(out_, plain(until.condition));
  }

  void print(const Equation& equation) {
    text::TextBuilder::Scope scope(out_, {text::Stage::equations, equation.id}, equation.origin);
    lang::print(out_, equation.left);
    out_ << " = ";
    unsized_ = &equation.access().tensor;
    inferred_ = left_bounds(equation.access());
    if (const auto& step = equation.access().step)
      if (const auto* v = step->as<Variable>())
        inferred_.push_back({Affine(0), Relation::less_equal, Affine::name(v->name)});
    add_ranges(equation.left, inferred_);
    add_ranges(equation.right, inferred_);
    lang::print(out_, plain(equation.right));
    const char* separator = " : ";
    for (const Constraint& constraint : equation.domain.constraints) {
      if (is_inferred(constraint)) continue;
      out_ << std::exchange(separator, ", ") << to_string(constraint);
      inferred_.push_back(constraint);
    }
  }

 private:
  std::vector<Constraint> left_bounds(const Access& access) const {
    std::vector<Constraint> bounds;
    const TensorInfo* info = program_.tensor(access.tensor);
    for (std::size_t d = 0; info && d < access.indices.size(); ++d)
      if (auto form = affine(access.indices[d])) {
        bounds.push_back({Affine(0), Relation::less_equal, *form});
        if (sized(*info)) bounds.push_back({*form, Relation::less, info->shape[d]});
      }
    return bounds;
  }

  /// Without a declaration, a result's own equations have to say how large it is.
  bool sized(const TensorInfo& info) const {
    return info.kind != TensorInfo::Kind::implicit || !unsized_ || info.name != *unsized_;
  }

  void add_ranges(const Expr& e, std::vector<Constraint>& into) const {
    const auto* access = e.as<Access>();
    const TensorInfo* info = access ? program_.tensor(access->tensor) : nullptr;
    for (std::size_t d = 0; info && sized(*info) && d < access->indices.size(); ++d)
      if (const auto* v = access->indices[d].as<Variable>()) {
        into.push_back({Affine(0), Relation::less_equal, Affine::name(v->name)});
        into.push_back({Affine::name(v->name), Relation::less, info->shape[d]});
      }
    for_each_child(e, [&](const Expr& child) { add_ranges(child, into); });
  }

  bool is_inferred(const Constraint& constraint) const { return contains(inferred_, constraint); }

  Expr plain(const Expr& e) const {
    Expr changed = map_children(e, [&](const Expr& child) { return plain(child); });
    if (const auto* c = changed.as<Cast>(); c && e->span.known() && e->span == c->operand->span) return c->operand;
    const auto* r = changed.as<Reduce>();
    if (!r) return changed;
    math::Domain domain{r->domain.variables, {}};
    for (const Constraint& constraint : r->domain.constraints)
      if (!is_inferred(constraint)) domain.constraints.push_back(constraint);
    return Expr(ExprNode{Reduce{r->op, std::move(domain), r->body, r->function}, e->type, e->span}, e.origin(), e.id());
  }

  text::TextBuilder& out_;
  const Program& program_;
  const std::string* unsized_ = nullptr;  ///< the tensor that the current equation defines
  std::vector<Constraint> inferred_;      ///< what reading the current equation back would add by itself
};

}  // namespace

text::Text print_equations(const Program& program, const Kernel& kernel) {
  text::TextBuilder out;
  for (const Equation& equation : kernel.equations) {
    EquationPrinter(out, program).print(equation);
    out.newline();
  }
  if (kernel.until) {
    EquationPrinter(out, program).print(*kernel.until);
    out.newline();
  }
  return out.take();
}

std::string to_string(const Program& program, const Equation& equation) {
  text::TextBuilder out;
  EquationPrinter(out, program).print(equation);
  return out.take().characters;
}

}  // namespace trellis::lang
