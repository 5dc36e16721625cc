// Is an instance that a rejection names real? Evaluates domains and index expressions at its points.

#include <algorithm>
#include <functional>

#include "engine/check/reference.hpp"

namespace trellis::check {

using lang::Expr;

namespace {

using Known = std::map<std::string, std::int64_t>;

Known values_of(const text::Point& point, const text::Point& sizes) {
  Known values(sizes.begin(), sizes.end());
  for (const auto& [name, value] : point) values[name] = value;
  return values;
}

auto lookup(const Known& values) {
  return [&values](const std::string& name) -> std::optional<std::int64_t> {
    auto known = values.find(name);
    return known == values.end() ? std::nullopt : std::optional(known->second);
  };
}

bool inside(const math::Domain& domain, const Known& values) {
  const bool named = std::all_of(domain.variables.begin(), domain.variables.end(),
                                 [&](const std::string& name) { return values.count(name) > 0; });
  return named && std::all_of(domain.constraints.begin(), domain.constraints.end(),
                              [&](const math::Constraint& c) { return c.holds(lookup(values)).value_or(false); });
}

/// The tensor as instances name it: with its step, where it has one.
std::string name_of(const lang::Access& access, const Known& values) {
  if (!access.step) return access.tensor;
  const auto step = lang::affine(*access.step)->evaluate(lookup(values));
  return access.tensor + "[" + (step ? std::to_string(*step) : "") + "]";
}

/// Does the access name the element? A non-affine index may name any.
bool names_element(const lang::Access& access, const std::vector<std::int64_t>& element, const Known& values) {
  if (access.indices.size() != element.size()) return false;
  for (std::size_t d = 0; d < element.size(); ++d)
    if (auto form = lang::affine(access.indices[d]); form && form->evaluate(lookup(values)) != element[d]) return false;
  return true;
}

/// Whether a condition holds, when its affine parts tell. A literal decides nothing: `true || any(k)(X(k))` still
/// depends on X, because a reduction is computed before the expression around it is.
std::optional<bool> decided(const Expr& condition, const Known& values) {
  auto constraints = lang::affine_condition(condition);
  if (const auto* b = condition.as<lang::Binary>(); !constraints && b && b->op == format::BinaryOp::logical_and) {
    const auto left = decided(b->left, values);
    const auto right = decided(b->right, values);
    const bool refuted = (left && !*left) || (right && !*right);
    return refuted ? std::optional(false) : std::nullopt;
  }
  if (!constraints || constraints->empty()) return std::nullopt;
  for (const math::Constraint& c : *constraints) {
    auto holds = c.holds(lookup(values));
    if (!holds) return std::nullopt;
    if (!*holds) return false;
  }
  return true;
}

/// Does it hold for some values of the names, each one that an index of the domain may have? What is read apart from
/// the rest of an equation (place/reads_apart.hpp) has those of its indices alone that the read has.
bool for_some(const math::Domain& domain, Known& values, std::size_t from, const std::function<bool()>& holds) {
  for (std::size_t k = from; k < domain.variables.size(); ++k) {
    const std::string& name = domain.variables[k];
    if (values.contains(name)) continue;
    std::int64_t end = 1;
    for (const auto& [known, value] : values) end = std::max(end, value + 1);
    for (std::int64_t value = 0; value < end; ++value) {
      values[name] = value;
      const bool found = for_some(domain, values, k + 1, holds);
      values.erase(name);
      if (found) return true;
    }
    return false;
  }
  return inside(domain, values) && holds();
}

class ReadSearch {
 public:
  ReadSearch(const text::Instance& instance, const Known& values) : instance_(instance), values_(values) {}

  bool reads(const Expr& e) const {
    if (const auto* r = e.as<lang::Reduce>(); r && !inside(r->domain, values_)) return false;
    if (const auto* a = e.as<lang::Access>();
        a && name_of(*a, values_) == instance_.read && names_element(*a, instance_.element, values_))
      return true;
    if (const auto* s = e.as<lang::Select>())
      if (auto taken = decided(s->condition, values_))
        return reads(s->condition) || reads(*taken ? s->then : s->otherwise);
    if (const auto* b = e.as<lang::Binary>(); b && format::is_logical(b->op))
      if (auto left = decided(b->left, values_); left && *left == (b->op == format::BinaryOp::logical_or))
        return reads(b->left);
    bool found = false;
    lang::for_each_child(e, [&](const Expr& child) { found = found || reads(child); });
    return found;
  }

 private:
  const text::Instance& instance_;
  const Known& values_;
};

bool defines(const lang::Equation& equation, const text::Instance& instance, const text::Point& at) {
  const Known values = values_of(at, instance.sizes);
  return name_of(equation.access(), values) == instance.read && inside(equation.domain, values) &&
         names_element(equation.access(), instance.element, values);
}

/// Does the equation define this element of its tensor at this step? Indices on the left are a name plus a constant.
bool defines_at(const lang::Equation& equation, std::int64_t step, const std::vector<std::int64_t>& element,
                Known values) {
  std::vector<std::pair<math::Affine, std::int64_t>> indices{
      {lang::affine(*equation.access().step).value_or(math::Affine(0)), step}};
  for (std::size_t d = 0; d < element.size(); ++d)
    indices.emplace_back(lang::affine(equation.access().indices.at(d)).value_or(math::Affine(0)), element[d]);
  for (const std::string& name : equation.domain.variables) values.erase(name);
  for (const auto& [form, value] : indices)
    for (const std::string& name : equation.domain.variables)
      if (form.mentions(name)) values.emplace(name, value - form.constant);
  return inside(equation.domain, values) && std::all_of(indices.begin(), indices.end(), [&](const auto& i) {
           return i.first.evaluate(lookup(values)) == i.second;
         });
}

/// An element that no equation defines at a step reads itself at the step before.
bool is_kept(const lang::Kernel& kernel, const text::Instance& instance, const Known& values) {
  for (const lang::Timesteps& t : kernel.timesteps) {
    const auto count = t.count.evaluate(lookup(values));
    for (std::int64_t step = -1; count && step + 1 < *count; ++step) {
      if (instance.read != t.tensor + "[" + std::to_string(step) + "]") continue;
      return std::none_of(kernel.equations.begin(), kernel.equations.end(), [&](const lang::Equation& e) {
        return e.access().tensor == t.tensor && defines_at(e, step + 1, instance.element, values);
      });
    }
  }
  return false;
}

}  // namespace

bool confirms(const lang::Program& program, const lang::Kernel& kernel, const text::Instance& instance) {
  text::Instance complete = instance;
  for (const lang::ParameterInfo& info : program.parameters) {
    const bool given =
        std::any_of(instance.sizes.begin(), instance.sizes.end(), [&](const auto& s) { return s.first == info.name; });
    if (!given && info.value && !info.real) complete.sizes.emplace_back(info.name, info.value->integer);
  }
  const Known values = values_of(complete.at, complete.sizes);
  const auto& equations = kernel.equations;
  auto writes = [&](const lang::Equation& e) { return defines(e, complete, complete.written_at); };
  const bool written = std::any_of(equations.begin(), equations.end(), writes);
  bool read = std::any_of(equations.begin(), equations.end(), [&](const lang::Equation& e) {
    Known all = values;
    return for_some(e.domain, all, 0, [&] { return ReadSearch(complete, all).reads(e.right); });
  });
  if (kernel.until)
    read =
        read || (inside(kernel.until->domain, values) && ReadSearch(complete, values).reads(kernel.until->condition));
  read = read || is_kept(kernel, complete, values);
  // An element that no equation defines at its step keeps its value, which is to define it there.
  const bool kept = complete.read.ends_with("]");
  if (read && (written || kept || complete.written_at.empty())) return true;
  for (const lang::Equation& one : equations)  // defined twice
    for (const lang::Equation& other : equations)
      if (&one != &other && defines(one, complete, complete.at) && writes(other)) return true;
  return false;
}

}  // namespace trellis::check
