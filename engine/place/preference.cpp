#include "engine/place/preference.hpp"

#include <algorithm>

#include "engine/access/compose.hpp"
#include "engine/format/level.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

// Weights of an access whose innermost loop walks no dimension, the last one, and another one.
constexpr double invariant = 0.25, contiguous = 1, strided = 8;
// Of one that is looked up below an entry where the loops stand anyway, and of one whose storage they cross.
constexpr double looked_up = 4, crossed = 64;
/// Of the coordinates, those at which a sparse operand has an entry.
constexpr double stored = 0.05;

bool mentions(const lang::Expr& index, const std::string& name) { return contains(lang::free_variables(index), name); }

/// The depth of the innermost loop that an index needs; -1: none.
int depth(const lang::Expr& index, const std::vector<std::string>& loops) {
  int deepest = -1;
  for (std::size_t k = 0; k < loops.size(); ++k)
    if (mentions(index, loops[k])) deepest = static_cast<int>(k);
  return deepest;
}

double sparse_weight(const lang::Access& access, const lang::TensorInfo& info, const std::vector<std::string>& loops) {
  const format::Format& format = info.format;
  const std::vector<lang::Expr> indices = access::level_indices(access, info);
  double weight = invariant;
  int above = -1;
  for (std::size_t level = 0; level < format.levels.size(); ++level) {
    const int here = depth(indices[level], loops);
    if (!format::facts(format.levels[level]).full()) {
      if (here < above) return crossed;
      if (here == above) weight = std::max(weight, looked_up);
    }
    if (here + 1 == static_cast<int>(loops.size())) weight = std::max(weight, contiguous);
    above = std::max(above, here);
  }
  return weight;
}

double dense_weight(const lang::Access& access, const std::string& innermost) {
  double weight = invariant;
  for (std::size_t d = 0; d < access.indices.size(); ++d)
    if (mentions(access.indices[d], innermost))
      weight = std::max(weight, d + 1 == access.indices.size() ? contiguous : strided);
  return weight;
}

/// How many dimensions a sum is kept in: those of loops inside the outermost one that is summed over.
int dimensions_of_sum(const lang::Access& sum, const std::vector<std::string>& loops) {
  const auto summed = [&](const std::string& loop) {
    return std::ranges::none_of(sum.indices, [&](const lang::Expr& index) { return mentions(index, loop); });
  };
  const auto outermost = static_cast<int>(std::ranges::find_if(loops, summed) - loops.begin());
  return static_cast<int>(
      std::ranges::count_if(sum.indices, [&](const lang::Expr& index) { return depth(index, loops) > outermost; }));
}

}  // namespace

double statement_weight(const lang::Access& write, const std::vector<lang::Access>& reads, const lang::Program& program,
                        const std::vector<std::string>& loops, const std::set<std::string>& masked) {
  bool walked = masked.contains(write.tensor);
  const auto weight = [&](const lang::Access& access, bool read) {
    const lang::TensorInfo* info = program.tensor(access.tensor);
    // Beside a result whose places are known, a sum of its rank grows in one of them, which has to be found.
    const bool sum = !info || info->kind == lang::TensorInfo::Kind::temporary;
    if (sum && !masked.empty() && dimensions_of_sum(access, loops) > 1) return strided;
    if (!info || info->format.all_dense()) return dense_weight(access, loops.back());
    double sparse = sparse_weight(access, *info, loops);
    if (masked.contains(access.tensor)) sparse = std::min(sparse, looked_up);  // a pointer marches
    walked |= read && sparse < looked_up;
    return sparse;
  };
  double total = weight(write, false);
  for (const lang::Access& read : reads) total += weight(read, true);
  return walked ? total * stored : total;
}

}  // namespace trellis::place
