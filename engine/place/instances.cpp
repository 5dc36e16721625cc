#include "engine/place/instances.hpp"

namespace trellis::place {
namespace {

std::optional<std::int64_t> value_in(const Values& values, const std::string& name) {
  auto at = values.find(name);
  return at == values.end() ? std::nullopt : std::optional(at->second);
}

text::Point point_of(const Fragment& f, const std::vector<std::int64_t>& values) {
  text::Point result;
  for (std::size_t k = 0; k < values.size(); ++k) result.emplace_back(f.domain.variables[k], values[k]);
  return result;
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

std::optional<text::Instance> smallest_instance(Dependences& dependences, Dependences::Id pairs, int writer, int reader) {
  auto witness = dependences.smallest(pairs, writer, reader);
  if (!witness) return std::nullopt;
  const auto& all = dependences.fragments().fragments;
  const Fragment &w = all[static_cast<std::size_t>(writer)], &r = all[static_cast<std::size_t>(reader)];
  text::Instance result;
  result.read = w.write.tensor;
  result.at = point_of(r, witness->second);
  result.written_at = point_of(w, witness->first);
  result.element = element_at(w.write_index, values_of(w, witness->first, witness->sizes));
  result.sizes = witness->sizes;
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
