#include "engine/place/wavefront.hpp"

#include <algorithm>
#include <map>

#include "engine/text/sequence.hpp"

namespace trellis::place {

namespace {

using format::BinaryOp;
using lang::Access;
using lang::Equation;
using lang::Expr;
using math::Affine;

bool names_it(const std::optional<Affine>& form, const std::string& name) { return form && form->mentions(name); }

class Front {
 public:
  Front(const lang::Program& program, const lang::Schedule::Wavefront& front) : program_(program), front_(front) {}

  /// The dimension of each tensor that the front goes along: that which `space` indexes where `time` counts steps.
  void find_dimensions(const lang::Kernel& kernel) {
    for (const Equation& equation : kernel.equations) {
      const Access& left = equation.access();
      if (!left.step || !names_it(lang::affine(*left.step), front_.time)) continue;
      for (std::size_t d = 0; d < left.indices.size(); ++d)
        if (names_it(lang::affine(left.indices[d]), front_.space)) dimensions_.emplace(left.tensor, d);
    }
  }
  bool empty() const { return dimensions_.empty(); }
  bool is_along(const std::string& tensor) const { return dimensions_.contains(tensor); }

  /// So many steps more.
  Affine later(const std::string& tensor) const {
    return front_.factor * (program_.tensor(tensor)->shape[dimensions_.at(tensor)] - Affine(1));
  }

  Equation moved(const Equation& equation) const {
    Equation result = equation;
    auto along = along_of(equation.left);
    if (!along) along = along_of(equation.right);
    result.left = renamed(equation.left);
    result.right = renamed(equation.right);
    if (!along || !contains(equation.domain.variables, front_.time)) return result;
    result.left = counted_anew(result.left, *along, equation.domain.variables);
    result.right = counted_anew(result.right, *along, equation.domain.variables);
    result.domain = result.domain.substitute({{front_.time, before(*along)}});
    return result;
  }

 private:
  static Expr with(const Expr& like, Access access) {
    return Expr(lang::ExprNode{std::move(access), like->type, like->span}, like.origin(), like.id());
  }

  /// The index along the front of the first element whose step `time` counts, where nothing inside binds one of both.
  std::optional<Affine> along_of(const Expr& e) const {
    const auto* access = e.as<Access>();
    if (access && access->step && is_along(access->tensor) && names_it(lang::affine(*access->step), front_.time)) {
      const auto along = lang::affine(access->indices[dimensions_.at(access->tensor)]);
      return names_it(along, front_.time) ? std::nullopt : along;
    }
    std::optional<Affine> found;
    lang::for_each_child(e, [&](const Expr& child) {
      if (!found) found = along_of(child);
    });
    const auto* reduce = e.as<lang::Reduce>();
    const auto binds = [&](const std::string& v) { return v == front_.time || names_it(found, v); };
    return reduce && std::ranges::any_of(reduce->domain.variables, binds) ? std::nullopt : found;
  }

  /// What the index that counted steps is, now that it counts fronts.
  Affine before(const Affine& along) const { return Affine::name(front_.time) - front_.factor * along; }

  Expr counted_anew(const Expr& e, const Affine& along, const std::vector<std::string>& variables) const {
    return simple_steps(lang::substitute(e, {{front_.time, lang::to_expr(before(along), variables)}}), variables);
  }

  /// Every element by its new step.
  Expr renamed(const Expr& e) const {
    const Expr inner = lang::map_children(e, [&](const Expr& child) { return renamed(child); });
    if (const auto* r = inner.as<lang::Reduce>(); r && contains(r->domain.variables, front_.time))
      if (const auto along = along_of(e.as<lang::Reduce>()->body)) return reduced_anew(inner, *r, *along);
    const auto* access = inner.as<Access>();
    if (!access || !access->step || !is_along(access->tensor)) return inner;
    Access result = *access;
    const Expr by =
        lang::binary(BinaryOp::multiply, lang::integer(front_.factor), access->indices[dimensions_.at(access->tensor)]);
    result.step = lang::binary(BinaryOp::add, *access->step, by);
    return with(inner, std::move(result));
  }

  Expr reduced_anew(const Expr& e, const lang::Reduce& reduce, const Affine& along) const {
    lang::Reduce result = reduce;
    result.body = counted_anew(reduce.body, along, reduce.domain.variables);
    result.domain = reduce.domain.substitute({{front_.time, before(along)}});
    return Expr(lang::ExprNode{std::move(result), e->type, e->span}, e.origin(), e.id());
  }

  /// Steps as short as they can be written: t - j + j is t.
  static Expr simple_step(const Expr& e, const std::vector<std::string>& variables) {
    const auto* access = e.as<Access>();
    const auto form = access && access->step ? lang::affine(*access->step) : std::nullopt;
    if (!form) return e;
    Access result = *access;
    const std::vector<std::string> free = lang::free_variables(*access->step);
    std::vector<std::string> names = variables;
    for (const std::string& name : free) add_once(names, name);
    result.step = lang::to_expr(*form, names);
    return with(e, std::move(result));
  }
  static Expr simple_steps(const Expr& e, const std::vector<std::string>& variables) {
    return simple_step(lang::map_children(e, [&](const Expr& child) { return simple_steps(child, variables); }),
                       variables);
  }

  const lang::Program& program_;
  const lang::Schedule::Wavefront& front_;
  std::map<std::string, std::size_t> dimensions_;
};

}  // namespace

std::optional<lang::Kernel> along_fronts(const lang::Program& program, lang::Kernel kernel,
                                         text::Diagnostics& diagnostics) {
  const std::vector<lang::Schedule::Wavefront> fronts = std::move(kernel.schedule.wavefronts);
  kernel.schedule.wavefronts.clear();
  for (const lang::Schedule::Wavefront& wanted : fronts) {
    Front front(program, wanted);
    front.find_dimensions(kernel);
    if (front.empty() || kernel.until || wanted.factor < 1) {
      diagnostics.error("E0163", wanted.span,
                        kernel.until ? "steps that `until` ends are not counted along fronts"
                        : wanted.factor < 1
                            ? "fronts go forwards: a factor of " + std::to_string(wanted.factor) + " does not"
                            : "no tensor has steps " + wanted.time + " and an index " + wanted.space,
                        "as in `wavefront t j`, of H[t](j) = max(H[t-1](j), H[t](j-1))");
      return std::nullopt;
    }
    for (Equation& equation : kernel.equations) equation = front.moved(equation);
    for (lang::Timesteps& steps : kernel.timesteps)
      if (front.is_along(steps.tensor)) steps.count = steps.count + front.later(steps.tensor);
  }
  return kernel;
}

}  // namespace trellis::place
