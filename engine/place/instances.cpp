#include "engine/place/instances.hpp"

#include <algorithm>

namespace trellis::place {
namespace {

std::optional<std::int64_t> value_in(const Values& values, const std::string& name) {
  auto at = values.find(name);
  return at == values.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace

Values values_of(const Fragment& fragment, const std::vector<std::int64_t>& point, const math::Assignment& sizes) {
  Values result(sizes.begin(), sizes.end());
  for (std::size_t k = 0; k < point.size(); ++k) result[fragment.domain.variables[k]] = point[k];
  return result;
}

std::vector<std::int64_t> element_at(const std::vector<math::Affine>& index, const Values& values) {
  std::vector<std::int64_t> result;
  for (const math::Affine& a : index) {
    result.push_back(a.evaluate([&](const std::string& name) { return value_in(values, name); }).value_or(0));
  }
  return result;
}

text::Point equation_point(const Analysis& analysis, const Fragment& fragment, const std::vector<std::int64_t>& point,
                           const math::Assignment& sizes) {
  math::Domain domain = fragment.around;
  for (const auto& [name, value] : values_of(fragment, point, sizes)) {
    domain.constraints.push_back({math::Affine::name(name), math::Relation::equal, value});
  }
  auto whole = analysis.dependences->solver().smallest(domain);
  if (!whole) return {};
  return {whole->end() - static_cast<std::ptrdiff_t>(domain.variables.size()), whole->end()};
}

text::Instance instance_of(const Analysis& analysis, const Dependences::Witness& witness, int writer, int reader) {
  const auto& all = analysis.fragments.fragments;
  const Fragment &w = all[static_cast<std::size_t>(writer)], &r = all[static_cast<std::size_t>(reader)];
  text::Instance result;
  result.read = w.write.tensor;
  result.at = equation_point(analysis, r, witness.second, witness.sizes);
  result.written_at = equation_point(analysis, w, witness.first, witness.sizes);
  result.element = element_at(w.write_index, values_of(w, witness.first, witness.sizes));
  result.sizes = witness.sizes;
  return result;
}

const Read* read_at(const Fragment& reader, const std::string& tensor, const text::Instance& instance) {
  Values values(instance.sizes.begin(), instance.sizes.end());
  for (const auto& [name, value] : instance.at) values[name] = value;
  auto value = [&](const std::string& name) { return value_in(values, name); };
  for (const Read& read : reader.reads) {
    bool same = read.access.tensor == tensor && read.index.size() == instance.element.size();
    for (std::size_t d = 0; same && d < read.index.size(); ++d) {
      same = !read.index[d] || read.index[d]->evaluate(value) == instance.element[d];
    }
    for (const math::Constraint& guard : read.guards) same = same && guard.holds(value).value_or(true);
    if (same) return &read;
  }
  return nullptr;
}

}  // namespace trellis::place
