#include "engine/schedule/written_elements.hpp"

#include <algorithm>

#include "engine/text/sequence.hpp"

namespace trellis::schedule {
namespace {

using math::Affine;
using math::Domain;
using place::Fragment;

std::string coordinate(std::size_t dimension) { return "element " + std::to_string(dimension); }

/// The domain, with the element that the index says as further variables.
Domain with_element(Domain domain, const std::vector<Affine>& index) {
  for (std::size_t d = 0; d < index.size(); ++d) {
    domain.variables.push_back(coordinate(d));
    domain.constraints.push_back({Affine::name(coordinate(d)), math::Relation::equal, index[d]});
  }
  return domain;
}

/// Its free points.
const Domain& free_points(const Fragment& f) { return f.op ? f.initialised : f.domain; }

bool indexes_by_variables(const Fragment& f) {
  return std::ranges::all_of(free_points(f).variables, [&](const std::string& v) {
    return std::ranges::count(f.write_index, Affine::name(v)) > 0;
  });
}

}  // namespace

std::vector<WrittenElements> written_elements(const place::Fragments& fragments, const lang::TensorInfo& tensor) {
  std::vector<WrittenElements> all;
  for (const int id : place::fragments_that_write(fragments, tensor.name)) {
    const Fragment& f = fragments.fragments[static_cast<std::size_t>(id)];
    WrittenElements some{free_points(f).variables, {}, free_points(f).constraints, f.write_index};
    for (const std::string& v : some.variables) {
      const auto at = std::ranges::find(f.write_index, Affine::name(v)) - f.write_index.begin();
      some.sizes.push_back(tensor.shape[static_cast<std::size_t>(at)]);
    }
    all.push_back(std::move(some));
  }
  return all;
}

bool reads_only_computed(const place::Fragments& fragments, const std::string& tensor, math::Solver& solver) {
  std::vector<Domain> computed;
  for (const int id : place::fragments_that_write(fragments, tensor)) {
    const Fragment& f = fragments.fragments[static_cast<std::size_t>(id)];
    if (!indexes_by_variables(f)) return false;
    computed.push_back(with_element(free_points(f), f.write_index));
  }
  for (const Fragment& f : fragments.fragments)
    for (const place::Read& read : f.reads) {
      if (read.access.tensor != tensor) continue;
      std::vector<Affine> index;
      for (const auto& i : read.index)
        if (i) index.push_back(*i);
      if (index.size() < read.index.size()) return false;
      Domain where = f.domain;
      where.constraints.insert(where.constraints.end(), read.guards.begin(), read.guards.end());
      std::vector<std::string> element;
      for (std::size_t d = 0; d < index.size(); ++d) element.push_back(coordinate(d));
      for (const Domain& elements : solver.project(with_element(where, index), element))
        if (!solver.covers(computed, elements)) return false;
    }
  return true;
}

}  // namespace trellis::schedule
