#include "engine/cost/walks.hpp"

#include <algorithm>

namespace trellis::cost {

std::vector<std::string> Walks::variables_of(const flow::Path& path) {
  std::vector<std::string> names;
  for (const flow::Expr& coordinate : path) {
    const auto* name = coordinate.as<flow::Name>();
    names.push_back(name && name->kind == flow::Name::Kind::variable ? name->name : std::string());
  }
  return names;
}

void Walks::begin(const flow::Tensor& tensor, const flow::Path& at) {
  around_.push_back({tensor.name, variables_of(at)});
}

Degrees::Key Walks::degrees(const std::string& tensor, std::size_t level) const {
  const auto found = data_.degrees.find(tensor);
  return found == data_.degrees.end() || level >= found->second.size() ? nullptr : found->second[level];
}

std::vector<Degrees::Key> Walks::walked_at(const std::string& variable) const {
  std::vector<Degrees::Key> all;
  for (auto walk = around_.begin(); walk != around_.end(); ++walk) {
    // A deeper walk of the same tensor below the same coordinates has the entries of this one.
    const bool goes_on = std::any_of(walk + 1, around_.end(), [&](const Walk& other) {
      return other.tensor == walk->tensor && other.at.size() > walk->at.size() &&
             std::equal(walk->at.begin(), walk->at.end(), other.at.begin());
    });
    const auto level = std::ranges::find(walk->at, variable);
    if (goes_on || level == walk->at.end()) continue;
    if (const auto key = degrees(walk->tensor, static_cast<std::size_t>(level - walk->at.begin()))) all.push_back(key);
  }
  return all;
}

double Walks::crowding(const flow::Tensor& tensor, const flow::Path& parent) const {
  if (!data_.counted) return 1;
  const std::vector<std::string> at = variables_of(parent);
  const bool goes_on = std::ranges::any_of(around_, [&](const Walk& walk) {
    return walk.tensor == tensor.name && walk.at.size() <= at.size() &&
           std::equal(walk.at.begin(), walk.at.end(), at.begin());
  });
  if (goes_on) return 1;
  double times = 1;
  for (std::size_t level = 0; level < at.size(); ++level) {
    const auto own = at[level].empty() ? nullptr : degrees(tensor.name, level);
    std::vector<Degrees::Key> others = own ? walked_at(at[level]) : std::vector<Degrees::Key>();
    if (others.empty()) continue;
    const double without = data_.counted->together(others);
    others.push_back(own);
    if (without > 0) times *= static_cast<double>(own->size()) * data_.counted->together(std::move(others)) / without;
  }
  return times;
}

}  // namespace trellis::cost
