#include "engine/distribute/plan.hpp"

namespace trellis::distribute {

using math::Affine;
using math::Constraint;
using math::Relation;

std::vector<Constraint> inside(const Partition& partition, const Affine& coordinate) {
  if (partition.cyclic > 0)
    return {{Affine::mod(Affine::div(coordinate, partition.cyclic), partition.parts), Relation::equal,
             Affine::name(partition.low)}};
  return {{Affine::name(partition.low), Relation::less_equal, coordinate},
          {coordinate, Relation::less, Affine::name(partition.high)}};
}

std::string element_name(std::size_t dimension) { return "#" + std::to_string(dimension); }

const Home* Plan::home(const Tensor& tensor) const {
  const auto found = homes.find(tensor);
  return found == homes.end() ? nullptr : &found->second;
}

std::vector<Constraint> part_constraints(const std::vector<Partition>& partitions) {
  std::vector<Constraint> all;
  for (const Partition& p : partitions) {
    const Affine low = Affine::name(p.low), high = Affine::name(p.high);
    all.push_back({Affine(0), Relation::less_equal, low});
    if (p.cyclic > 0) {
      all.push_back({low, Relation::less, Affine(p.parts)});
      continue;
    }
    all.push_back({low, Relation::less_equal, high});
    all.push_back({high, Relation::less_equal, p.base + Affine(p.extra)});
    for (const Partition& other : partitions) {
      if (other.ranks != p.ranks || other.base != p.base || other.extra <= p.extra) continue;
      all.push_back({high, Relation::less_equal, Affine::name(other.high)});
      all.push_back({Affine::name(other.high), Relation::less_equal, high + Affine(other.extra - p.extra)});
    }
  }
  return all;
}

math::Domain own_elements(const Plan& plan, const Home& home) {
  math::Domain own;
  for (std::size_t d = 0; d < home.size(); ++d) {
    own.variables.push_back(element_name(d));
    if (home[d] < 0) continue;
    for (Constraint& c : inside(plan.partitions[static_cast<std::size_t>(home[d])], Affine::name(element_name(d))))
      own.constraints.push_back(std::move(c));
  }
  return own;
}

}  // namespace trellis::distribute
