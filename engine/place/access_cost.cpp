#include "engine/place/access_cost.hpp"

#include <algorithm>

#include "engine/format/level.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

// Relative times of an access whose innermost loop walks no dimension, the last one, and another one.
constexpr double invariant = 0.25, contiguous = 1, strided = 8;
// Of one that is looked up below an entry where the loops stand anyway, and of one whose storage they cross.
constexpr double looked_up = 4, crossed = 64;
/// Of the coordinates, those at which a sparse operand has an entry.
constexpr double stored = 0.05;

bool mentions(const lang::Expr& index, const std::string& name) {
  return contains(lang::free_variables(index), name);
}

/// The depth of the innermost loop that an index needs; -1: none.
int depth(const lang::Expr& index, const std::vector<std::string>& loops) {
  int deepest = -1;
  for (std::size_t k = 0; k < loops.size(); ++k)
    if (mentions(index, loops[k])) deepest = static_cast<int>(k);
  return deepest;
}

double sparse_cost(const lang::Access& access, const format::Format& format, const std::vector<std::string>& loops) {
  double cost = invariant;
  int above = -1;
  for (std::size_t level = 0; level < format.levels.size(); ++level) {
    const lang::Expr& index = access.indices[format::dimension_of(format, level)];
    const int here = depth(index, loops);
    if (!format::facts(format.levels[level]).full()) {
      if (here < above) return crossed;
      if (here == above) cost = std::max(cost, looked_up);
    }
    if (here + 1 == static_cast<int>(loops.size())) cost = std::max(cost, contiguous);
    above = std::max(above, here);
  }
  return cost;
}

double dense_cost(const lang::Access& access, const std::string& innermost) {
  double cost = invariant;
  for (std::size_t d = 0; d < access.indices.size(); ++d)
    if (mentions(access.indices[d], innermost)) cost = std::max(cost, d + 1 == access.indices.size() ? contiguous : strided);
  return cost;
}

}  // namespace

double statement_cost(const lang::Access& write, const std::vector<lang::Access>& reads, const lang::Program& program,
                      const std::vector<std::string>& loops) {
  bool walked = false;
  const auto cost = [&](const lang::Access& access, bool read) {
    const lang::TensorInfo* info = program.tensor(access.tensor);
    if (!info || info->format.all_dense()) return dense_cost(access, loops.back());
    const double sparse = sparse_cost(access, info->format, loops);
    walked |= read && sparse < looked_up;
    return sparse;
  };
  double total = cost(write, false);
  for (const lang::Access& read : reads) total += cost(read, true);
  return walked ? total * stored : total;
}

}  // namespace trellis::place
