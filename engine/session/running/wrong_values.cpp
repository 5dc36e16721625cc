#include "engine/session/running/wrong_values.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/check/wraps.hpp"
#include "engine/lang/action.hpp"
#include "engine/tensor/for_each_entry.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {
namespace odd_values {
namespace {

using format::ScalarType;
using lang::Expr;

/// The place of the first of the stored values that is no number and not the fill; -1: there is none.
template <class T>
std::int64_t first_odd(const tensor::Tensor& tensor) {
  const auto* values = static_cast<const T*>(tensor.data());
  const auto count = static_cast<std::int64_t>(tensor.array_bytes(-1, format::Array::values) / sizeof(T));
  const T fill = static_cast<T>(tensor.fill().real);
  for (std::int64_t k = 0; k < count; ++k)
    if (!std::isfinite(values[k]) && !(values[k] == fill)) return k;
  return -1;
}

std::int64_t first_odd_place(const tensor::Tensor& tensor) {
  if (!format::is_floating(tensor.type()) || !tensor.data()) return -1;
  return tensor.type() == ScalarType::f32 ? first_odd<float>(tensor) : first_odd<double>(tensor);
}

/// The first stored element of which this holds.
std::optional<OddElement> first_element(const std::string& name, const tensor::Tensor& tensor,
                                        const std::function<bool(const format::Value&)>& holds) {
  std::optional<OddElement> found;
  const auto look = [&](const tensor::Index& index, const format::Value& value) {
    if (!found && holds(value)) found = OddElement{name, index, value};
  };
  if (tensor.dense())
    tensor::for_each_index(tensor.shape(), [&](const tensor::Index& index) {
      if (!found) look(index, tensor.get(index));
    });
  else tensor::for_each_entry(tensor, look);
  return found;
}

std::optional<OddElement> first_odd_element(const std::string& name, const tensor::Tensor& tensor) {
  if (first_odd_place(tensor) < 0) return std::nullopt;
  return first_element(name, tensor, [&](const format::Value& value) {
    return !std::isfinite(value.real) && !(value == tensor.fill());
  });
}

bool holds_odd(const tensor::Tensor& tensor) {
  return first_odd_place(tensor) >= 0 || (format::is_floating(tensor.type()) && !std::isfinite(tensor.fill().real));
}

/// Every expression of the kernel, with those inside them.
void each_expression(const lang::Kernel& kernel, const std::function<void(const Expr&)>& visit) {
  const std::function<void(const Expr&)> inside = [&](const Expr& e) {
    visit(e);
    lang::for_each_child(e, inside);
  };
  for (const lang::Equation& equation : kernel.equations) inside(equation.right);
  if (kernel.loops)
    for (const lang::Action& action : *kernel.loops)
      lang::action::for_each(action, [&](const lang::Action& each) {
        for (const Expr& e : lang::action::expressions(each)) inside(e);
      });
}

struct Says {
  bool odd = false;    ///< inf, or a parameter that may be
  bool least = false;  ///< a reduction that is inf where it is empty
};

Says said_by(const lang::Kernel& kernel) {
  Says says;
  each_expression(kernel, [&](const Expr& e) {
    const auto* constant = e.as<lang::Constant>();
    says.odd |= constant && format::is_floating(constant->value.type) && !std::isfinite(constant->value.real);
    const auto* reduce = e.as<lang::Reduce>();
    says.least |= reduce && (reduce->op == format::ReduceOp::min || reduce->op == format::ReduceOp::max);
  });
  return says;
}

/// One past what the variable is below, where its constraints say so at these sizes.
std::optional<double> extent_of(const State& state, const math::Domain& domain, const std::string& variable) {
  std::optional<double> extent;
  for (const math::Constraint& c : domain.constraints) {
    const auto name = c.left.as_name();
    if (!name || *name != variable || c.relation != math::Relation::less) continue;
    const auto size = c.right.evaluate([&](const std::string& of) -> std::optional<std::int64_t> {
      const auto value = state.parameter(of);
      return value ? std::optional(value->as_integer()) : std::nullopt;
    });
    if (size && (!extent || static_cast<double>(*size) < *extent)) extent = static_cast<double>(*size);
  }
  return extent;
}

/// Of dense operands alone: what others store is not counted here.
double terms_of(const State& state, const lang::Reduce& sum) {
  bool dense = true;
  const std::function<void(const Expr&)> look = [&](const Expr& e) {
    if (const auto* access = e.as<lang::Access>()) {
      const tensor::Tensor* held = state.data.held(access->tensor);
      dense = dense && (!held || held->dense());
    }
    lang::for_each_child(e, look);
  };
  look(sum.body);
  double terms = dense ? 1 : 0;
  for (const std::string& variable : sum.domain.variables) terms *= extent_of(state, sum.domain, variable).value_or(1);
  return terms;
}

}  // namespace
}  // namespace odd_values

std::string to_string(const OddElement& odd) {
  return text::element_text(odd.tensor, odd.index) + " is " + format::to_string(odd.value);
}

std::optional<OddElement> odd_element(const lang::Kernel& kernel, const FinishedRun& finished) {
  for (const auto& [name, result] : finished.after) {
    const std::optional<OddElement> odd = odd_values::first_odd_element(name, result);
    if (!odd) continue;
    for (const auto& [other, found] : finished.before.tensors)
      if (odd_values::holds_odd(found)) return std::nullopt;
    const odd_values::Says says = odd_values::said_by(kernel);
    return says.odd || (says.least && std::isinf(odd->value.real)) ? std::nullopt : odd;
  }
  return std::nullopt;
}

std::optional<OddElement> first_nan(const std::string& name, const tensor::Tensor& tensor) {
  if (odd_values::first_odd_place(tensor) < 0) return std::nullopt;
  return odd_values::first_element(name, tensor, [](const format::Value& value) { return std::isnan(value.real); });
}

void warn_of_odd_values(const lang::Kernel& kernel, const FinishedRun& finished, text::Span at,
                        text::Diagnostics& diagnostics) {
  const std::optional<OddElement> odd = odd_element(kernel, finished);
  if (!odd) return;
  const std::string place = to_string(*odd);
  text::Diagnostic& warning = diagnostics.warning(
      "W0605", at, kernel.until ? "the steps of kernel " + kernel.name + " diverged: " + place : place, "");
  warning.notes.push_back({{}, "nothing that kernel " + kernel.name + " read was nan or inf"});
  if (kernel.until && std::isnan(odd->value.real))
    warning.notes.push_back({{}, "`until` may hold of nan: min and max pass it over"});
}

void warn_of_wraps(const lang::Program& program, const lang::Kernel& kernel, const FinishedRun& finished, double terms,
                   text::Span at, text::Diagnostics& diagnostics) {
  const auto wrap = check::find_wrap(program, kernel, finished.before, finished.after, terms);
  if (!wrap) return;
  const std::string type(format::name_of(wrap->got.type));
  diagnostics
      .warning("W0606", at,
               text::element_text(wrap->tensor, wrap->index) + " did not hold its value: " +
                   std::to_string(wrap->value) + " became " + format::to_string(wrap->got) + " as " + type,
               "")
      .notes.push_back({wrap->span, "declare " + wrap->tensor + " as i64, or convert where wrapping is meant, as in " +
                                        type + "(…)"});
}

void note_coarse_sums(const State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  constexpr double many = 1 << 20;
  odd_values::each_expression(kernel, [&](const lang::Expr& e) {
    const auto* sum = e.as<lang::Reduce>();
    if (!sum || sum->op != format::ReduceOp::sum || e->type != format::ScalarType::f32) return;
    const double terms = odd_values::terms_of(state, *sum);
    if (terms < many) return;
    const double percent = std::min(100.0, std::ceil(100 * terms * 0x1p-24));
    text::Diagnostic note;
    note.severity = text::Severity::note;
    note.code = "N0607";
    note.span = e->span;
    note.message = "a sum of " + std::to_string(static_cast<std::int64_t>(terms)) + " terms of f32 can be off by " +
                   std::to_string(static_cast<int>(percent)) + " % of the sum of their magnitudes";
    note.notes.push_back({{}, "add up in f64, as in sum(i)(f64(x(i))), or in parts: rows first, then their sums"});
    diagnostics.add(std::move(note));
  });
}

}  // namespace trellis::session
