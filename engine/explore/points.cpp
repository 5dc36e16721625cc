#include "engine/explore/points.hpp"

#include <algorithm>
#include <map>

namespace trellis::explore {
namespace {

using Known = std::map<std::string, std::int64_t>;

struct Equality {
  math::Affine form;
  std::int64_t value = 0;
};

void add(std::vector<Equality>& all, const std::vector<std::optional<math::Affine>>& forms,
         const tensor::Index& element) {
  if (forms.size() != element.size()) return;  // a temporary that has shrunk, or one buffer for all steps
  for (std::size_t d = 0; d < forms.size(); ++d)
    if (forms[d]) all.push_back({*forms[d], element[d]});
}

/// The one name that has no value yet; empty when there are none or several, or when it stands below a quotient.
std::optional<std::string> only_unknown(const math::Affine& form, const Known& known) {
  std::set<std::string> names;
  form.collect_names(names);
  std::erase_if(names, [&](const std::string& name) { return known.contains(name); });
  if (names.size() != 1 || form.coefficient(*names.begin()) == 0) return std::nullopt;
  for (const math::Quotient& q : form.quotients)
    if (q.numerator->mentions(*names.begin())) return std::nullopt;
  return *names.begin();
}

/// Solves one name after the other. Empty when the equalities contradict each other.
std::optional<Known> solved(const std::vector<Equality>& all, Known known) {
  const auto value = [&](const std::string& name) {
    const auto found = known.find(name);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Equality& one : all) {
      const auto name = only_unknown(one.form, known);
      if (!name) continue;
      const std::int64_t factor = one.form.coefficient(*name);
      const auto rest = (one.form - math::Affine::name(*name, factor)).evaluate(value);
      if (!rest || (one.value - *rest) % factor != 0) return std::nullopt;
      known[*name] = (one.value - *rest) / factor;
      changed = true;
    }
  }
  for (const Equality& one : all)
    if (const auto is = one.form.evaluate(value); is && *is != one.value) return std::nullopt;
  return known;
}

/// Whether that access would touch what the step touches; true also where the tensor has shrunk, and nobody can tell.
bool fits(const std::string& tensor, const std::vector<std::optional<math::Affine>>& forms,
          const std::vector<Trace::Touch>& touched, const Known& known) {
  tensor::Index element;
  for (const auto& form : forms) {
    const auto at = form ? form->evaluate([&](const std::string& name) {
      const auto found = known.find(name);
      return found == known.end() ? std::nullopt : std::optional(found->second);
    })
                         : std::nullopt;
    if (!at) return true;
    element.push_back(*at);
  }
  return std::ranges::any_of(touched, [&](const Trace::Touch& one) {
    return one.tensor == tensor && (one.index.size() != element.size() || one.covers(element));
  });
}

/// With the values of loops that are named as variables of the fragment, unless an element contradicts them.
Known with_loops(Known known, const Trace::Step& step, const place::Fragment& fragment) {
  Known more = known;
  for (const auto& [name, value] : step.loops)
    if (std::ranges::find(fragment.domain.variables, name) != fragment.domain.variables.end())
      more.emplace(name, value);
  if (step.write && step.write->tensor == fragment.write.tensor &&
      !fits(step.write->tensor, {fragment.write_index.begin(), fragment.write_index.end()}, {*step.write}, more))
    return known;
  for (const place::Read& read : fragment.reads)
    if (!fits(read.access.tensor, read.index, step.reads, more)) return known;
  return more;
}

}  // namespace

StepPoint point_of(const Trace::Step& step, const place::Fragments& fragments, const FragmentsOf& fragments_of,
                   const std::map<std::string, format::Value>& sizes) {
  const std::vector<int> of = fragments_of(step.statement);
  if (of.size() != 1) return {};
  const place::Fragment& fragment = fragments.fragments[static_cast<std::size_t>(of.front())];
  std::vector<Equality> all;
  if (step.write && step.write->tensor == fragment.write.tensor && step.write->last.empty())
    add(all, {fragment.write_index.begin(), fragment.write_index.end()}, step.write->index);
  // Two reads of one tensor cannot be told apart where elements that are equal are listed once.
  for (const place::Read& read : fragment.reads) {
    const auto of_tensor = [&](const auto& one) { return one.tensor == read.access.tensor; };
    const auto same = [&](const place::Read& one) { return of_tensor(one.access); };
    const auto touch = std::ranges::find_if(step.reads, of_tensor);
    if (std::ranges::count_if(fragment.reads, same) != 1 || std::ranges::count_if(step.reads, of_tensor) != 1) continue;
    if (touch->last.empty()) add(all, read.index, touch->index);
  }
  Known known;
  for (const auto& [name, value] : sizes)
    if (format::is_integer(value.type)) known.emplace(name, value.as_integer());
  auto found = solved(all, std::move(known));
  if (found) found = with_loops(std::move(*found), step, fragment);
  StepPoint result{fragment.id, {}};
  if (found)
    for (const std::string& variable : fragment.domain.variables)
      if (const auto value = found->find(variable); value != found->end())
        result.point.emplace_back(variable, value->second);
  return result;
}

}  // namespace trellis::explore
