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

void name_element(text::Instance& instance, const lang::Access& access, std::vector<std::int64_t> element) {
  instance.read = access.tensor;
  if (access.step) {
    instance.read += "[" + std::to_string(element.at(0) - 1) + "]";
    element.erase(element.begin());
  }
  instance.element = std::move(element);
}

std::vector<math::Affine> indexed_shape(const Analysis& analysis, const std::string& tensor) {
  std::vector<math::Affine> shape = analysis.program.tensor(tensor)->shape;
  for (const lang::Timesteps& t : analysis.kernel.timesteps)
    if (t.tensor == tensor) shape.insert(shape.begin(), t.count + math::Affine(1));
  return shape;
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
  result.at = equation_point(analysis, r, witness.second, witness.sizes);
  result.written_at = equation_point(analysis, w, witness.first, witness.sizes);
  name_element(result, w.write, element_at(w.write_index, values_of(w, witness.first, witness.sizes)));
  result.sizes = witness.sizes;
  return result;
}

const Read* read_at(const Fragment& reader, const text::Instance& instance) {
  Values values(instance.sizes.begin(), instance.sizes.end());
  for (const auto& [name, value] : instance.at) values[name] = value;
  auto value = [&](const std::string& name) { return value_in(values, name); };
  for (const Read& read : reader.reads) {
    std::vector<std::int64_t> element;
    for (const auto& index : read.index) element.push_back(index ? index->evaluate(value).value_or(0) : 0);
    text::Instance named;
    name_element(named, read.access, std::move(element));
    bool same = named.read == instance.read && named.element.size() == instance.element.size();
    const std::size_t first = read.access.step ? 1 : 0;
    for (std::size_t d = 0; same && d < instance.element.size(); ++d)
      same = !read.index[d + first] || named.element[d] == instance.element[d];
    for (const math::Constraint& guard : read.guards) same = same && guard.holds(value).value_or(true);
    if (same) return &read;
  }
  return nullptr;
}

}  // namespace trellis::place
