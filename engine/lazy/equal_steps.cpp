// Steps of a plan that are equal but for what fields are called: they are made once, in one form, where that is
// cheaper.
#include <algorithm>

#include "engine/lazy/physical.hpp"
#include "engine/lazy/queries.hpp"

namespace trellis::lazy {

const std::vector<int>& QueryPlans::canonical_fields(int number) {
  const auto known = canonical_.find(number);
  if (known != canonical_.end()) return known->second.second;
  std::vector<Field> order;
  std::pair<std::string, std::vector<int>> found{canonical(expr_of(number), order), {}};
  for (const Field& field : order) found.second.push_back(number_of(field));
  return (canonical_[number] = std::move(found)).second;
}

const std::string& QueryPlans::canonical_name(int number) {
  canonical_fields(number);
  return canonical_[number].first;
}

Form QueryPlans::form_of_twin(int number, const Form& form, int twin) {
  const std::vector<int>&from = canonical_fields(number), &to = canonical_fields(twin);
  Form other{form.writes, {}};
  for (const int f : form.fields)
    other.fields.push_back(to[static_cast<std::size_t>(std::ranges::find(from, f) - from.begin())]);
  return other;
}

void QueryPlans::settle_equal_steps(Candidate& candidate) {
  std::vector<int> below;
  collect_below(candidate.result, below);
  below.pop_back();
  std::ranges::reverse(below);  // what contains others comes before them
  for (std::size_t a = 0; a < below.size(); ++a)
    for (std::size_t b = a + 1; b < below.size(); ++b) {
      const int first = below[a], second = below[b];
      if (candidate.twins.contains(first) || canonical_name(first) != canonical_name(second)) continue;
      std::optional<Candidate> best;
      for (const Form& form : forms_of(first, candidate)) {
        Candidate tried = candidate;
        tried.forms[first] = form;
        tried.forms[second] = form_of_twin(first, form, second);
        tried.twins[second] = first;
        tried.cycles = choice(tried.result, result_form(), tried).cycles;
        if (!best || tried.cycles < best->cycles) best = std::move(tried);
      }
      if (best && best->cycles < candidate.cycles) candidate = std::move(*best);
    }
}

}  // namespace trellis::lazy
