#include "engine/lang/push_index.hpp"

#include <algorithm>

#include "engine/lang/index_map_of.hpp"
#include "engine/math/sizes.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang {

using format::BinaryOp;
using math::Affine;
using math::Index;

void PushedSizes::set_span(const std::string& variable, const Affine& span) {
  spans_[variable] = span;
  maps_.set_span(variable, span);
}

void PushedSizes::set_spans(const math::Domain& domain) {
  for (const auto& [name, span] : spans_of(domain)) set_span(name, span);
}

bool PushedSizes::take_values(const std::set<std::string>& names) {
  if (use_ == SizeValues::unused) return false;
  std::map<std::string, Affine> found;
  for (const std::string& name : names) {
    const ParameterInfo* parameter = program_.parameter(name);
    if (!parameter || parameter->real || !parameter->value) return false;
    found.emplace(name, Affine(parameter->value->as_integer()));
  }
  values_.insert(found.begin(), found.end());
  return true;
}

Shape PushedSizes::without_quotients(Shape shape) {
  for (const std::vector<Affine>* sizes : {&shape.from_sizes, &shape.to_sizes})
    for (const Affine& size : *sizes) size.collect_names(named_);
  for (std::vector<Affine>* sizes : {&shape.from_sizes, &shape.to_sizes, &shape.numbers})
    for (Affine& size : *sizes) {
      std::set<std::string> names;
      math::collect_factors(size, names);
      if (!size.quotients.empty() && take_values(names)) size = size.substitute(values_);
    }
  return shape;
}

std::optional<Index> PushedSizes::index_of(const Affine& form, const std::map<std::string, Index>& places) const {
  if (!form.quotients.empty()) return std::nullopt;
  Index result{Affine(form.constant), {}};
  for (const auto& [name, coefficient] : form.terms) {
    const auto place = places.find(name);
    const bool size = math::is_product(name) || program_.parameter(name);
    Index term = size ? Index{Affine::name(name), {}} : Index::name(name);
    if (place != places.end()) term = place->second;
    const auto times = maps_.scaled(term, Affine(coefficient));
    const auto sum = times ? maps_.sum(result, *times) : std::nullopt;
    if (!sum) return std::nullopt;
    result = *sum;
  }
  return result;
}

std::optional<Index> PushedSizes::strided(const Index& x, std::int64_t step, const Affine& offset) const {
  const auto scaled = maps_.scaled(x, Affine(step));
  return scaled ? maps_.sum(*scaled, {offset, {}}) : std::nullopt;
}

std::optional<Index> PushedSizes::joined(const std::vector<Index>& digits, const std::vector<Affine>& sizes) const {
  Index result;
  Affine over = 1;
  for (std::size_t d = digits.size(); d-- > 0;) {
    const auto scaled = maps_.scaled(digits[d], over);
    const auto sum = scaled ? maps_.sum(result, *scaled) : std::nullopt;
    const auto next = math::product(over, sizes[d]);
    if (!sum || !next) return std::nullopt;
    result = *sum;
    over = *next;
  }
  return result;
}

std::optional<std::vector<Index>> PushedSizes::digits(const Index& x, const std::vector<Affine>& sizes) const {
  std::vector<Index> result(sizes.size());
  Affine over = 1;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    const auto digit = maps_.digit(x, over, sizes[d], d == 0);
    const auto next = math::product(over, sizes[d]);
    if (!digit || !next) return std::nullopt;
    result[d] = *digit;
    over = *next;
  }
  return result;
}

bool PushedSizes::may_meet(const Index& x, const Affine& begin, const Affine& end) const {
  if (end == begin) return false;
  const auto bounds = maps_.bounds(x);
  if (!bounds) return true;
  return !math::never_negative(bounds->first - end) && !math::never_negative(begin - Affine(1) - bounds->second);
}

// ---- expressions
// -----------------------------------------------------------------------------------------------------

namespace {

/// Adds the names of sizes by which something is multiplied or divided.
void collect_strides(const Index& x, std::set<std::string>& into) {
  for (const auto& [part, factor] : x.parts) {
    math::collect_factors(factor, into);
    if (!part.digit) continue;
    math::collect_factors(part.digit->over, into);
    if (!part.digit->top) math::collect_factors(part.digit->span, into);
    collect_strides(*part.digit->of, into);
  }
}

void collect_variables(const Index& x, std::vector<std::string>& into) {
  for (const auto& [part, factor] : x.parts) {
    if (part.digit) collect_variables(*part.digit->of, into);
    else add_once(into, part.name);
  }
}

/// Empty where sizes multiply or divide.
std::optional<Affine> affine_form(const Index& x) {
  Affine form = x.constant;
  for (const auto& [part, factor] : x.parts) {
    if (!factor.is_constant()) return std::nullopt;
    Affine one;
    if (part.digit) {
      const math::Digit& digit = *part.digit;
      const auto of = affine_form(*digit.of);
      // Of no elements there is no digit that anybody reads.
      const auto divisor = [](const Affine& size) { return std::max<std::int64_t>(size.constant, 1); };
      if (!of || !digit.over.is_constant() || (!digit.top && !digit.span.is_constant())) return std::nullopt;
      one = Affine::div(*of, divisor(digit.over));
      if (!digit.top) one = Affine::mod(one, divisor(digit.span));
    } else {
      one = Affine::name(part.name);
    }
    form = form + factor.constant * one;
  }
  return form;
}

Expr product_expr(const Index& x, const std::vector<std::string>& variables) {
  Expr sum;
  const auto add = [&](const Expr& term, bool minus) {
    if (!sum) sum = minus ? binary(BinaryOp::subtract, integer(0), term) : term;
    else sum = binary(minus ? BinaryOp::subtract : BinaryOp::add, sum, term);
  };
  for (const auto& [part, factor] : x.parts) {
    Expr one = part.digit ? product_expr(*part.digit->of, variables) : variable(part.name);
    if (part.digit) {
      const math::Digit& digit = *part.digit;
      if (digit.over != Affine(1)) one = binary(BinaryOp::divide, one, to_expr(digit.over, {}));
      if (!digit.top) one = binary(BinaryOp::modulo, one, to_expr(digit.span, {}));
    }
    const bool minus = !math::never_negative(factor) && math::never_negative(-factor);
    const Affine size = minus ? -factor : factor;
    add(size == Affine(1) ? one : binary(BinaryOp::multiply, to_expr(size, {}), one), minus);
  }
  if (!sum || x.constant != Affine(0)) add(to_expr(x.constant, {}), false);
  return sum;
}

}  // namespace

Expr PushedSizes::expr(const Index& written) {
  Index index = written;
  std::set<std::string> strides;
  collect_strides(index, strides);
  if (!strides.empty() && take_values(strides)) {
    math::IndexMaps maps({});
    for (const auto& [name, span] : spans_) maps.set_span(name, span.substitute(values_));
    index = maps.with_sizes(index, values_).value_or(index);
  }
  std::vector<std::string> variables;
  collect_variables(index, variables);
  if (const auto form = affine_form(index)) return to_expr(*form, variables);
  return product_expr(index, variables);
}

std::vector<math::Constraint> PushedSizes::assumed() const {
  std::vector<math::Constraint> all;
  for (const auto& [name, value] : values_) all.push_back({Affine::name(name), math::Relation::equal, value});
  std::set<std::string> names = named_;
  for (const TensorInfo& tensor : program_.tensors)
    for (const Affine& size : tensor.shape) size.collect_names(names);
  for (const math::Constraint& c : program_.assumed) c.left.collect_names(names), c.right.collect_names(names);
  for (const std::string& name : names) {
    const Affine value = Affine::name(name).substitute(values_);
    if (math::is_product(name) && value != Affine::name(name))
      all.push_back({Affine::name(name), math::Relation::equal, value});
  }
  return all;
}

}  // namespace trellis::lang
