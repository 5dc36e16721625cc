#include "engine/symbolic/sparse_factors.hpp"

#include <algorithm>

#include "engine/lang/gaps.hpp"
#include "engine/symbolic/elimination.hpp"
#include "engine/symbolic/with_patterns.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::symbolic {
namespace {

using lang::TensorInfo;

const char* const format_of_factors = "csc";

bool is_open(const lang::Kernel& kernel) {
  const lang::Schedule& s = kernel.schedule;
  return s.planned && !s.order && s.steps.empty() && s.masks.empty() && s.workspaces.empty() && s.inplace.empty() &&
         !kernel.loops && kernel.timesteps.empty() && kernel.pattern_of.empty();
}

/// A square that nobody declared, and that would be dense.
bool is_factor(const TensorInfo& info, const std::set<std::string>& given) {
  return info.kind == TensorInfo::Kind::implicit && info.shape.size() == 2 && info.shape[0] == info.shape[1] &&
         info.format.all_dense() && format::is_floating(info.type) && !info.fill.is_true() &&
         !given.contains(info.name);
}

bool reads_any(const lang::Expr& e, const std::vector<std::string>& tensors) {
  const auto* access = e.as<lang::Access>();
  bool found = access && contains(tensors, access->tensor);
  lang::for_each_child(e, [&](const lang::Expr& child) { found = found || reads_any(child, tensors); });
  return found;
}

/// What is seen without a proof: most kernels have none.
std::vector<std::string> candidates(const lang::Program& program, const lang::Kernel& kernel,
                                    const std::set<std::string>& given) {
  if (!is_open(kernel)) return {};
  const auto tensor = [&](const std::string& name) -> const TensorInfo& { return *program.tensor(name); };
  std::vector<std::string> results = kernel.results();
  std::erase_if(results, [&](const std::string& name) { return !is_factor(tensor(name), given); });
  const auto is_sparse = [&](const std::string& name) {
    return tensor(name).shape.size() == 2 && lang::has_gaps(tensor(name).format);
  };
  const auto is_recursive = [&](const lang::Equation& one) {
    return contains(results, one.access().tensor) && reads_any(one.right, results);
  };
  if (!std::ranges::any_of(kernel.operands(), is_sparse) || !std::ranges::any_of(kernel.equations, is_recursive))
    return {};
  return results;
}

bool are_eliminated(const lang::Program& program, lang::Kernel kernel, const std::vector<std::string>& results) {
  lang::Program part = lang::part_for(program, kernel);
  for (const std::string& name : results) {
    for (TensorInfo& info : part.tensors)
      if (info.name == name) info.format = format::Format::named(format_of_factors, 2).value();
    kernel.schedule.masks.push_back({name, {}, kernel.span, true});
  }
  part.kernels = {kernel};
  text::Diagnostics said;
  const lang::Program with_twin = with_patterns(std::move(part), said);
  const auto twin = std::ranges::find(with_twin.kernels, kernel.name, &lang::Kernel::pattern_of);
  return !said.has_errors() && twin != with_twin.kernels.end() &&
         find_elimination(lang::part_for(with_twin, *twin), *twin).has_value();
}

}  // namespace

std::vector<SparseFactors> sparse_factors(const lang::Program& program, const std::set<std::string>& given,
                                          const std::set<std::string>& kernels) {
  std::vector<SparseFactors> found;
  for (const lang::Kernel& kernel : program.kernels) {
    if (!kernels.empty() && !kernels.contains(kernel.name)) continue;
    std::vector<std::string> results = candidates(program, kernel, given);
    if (!results.empty() && are_eliminated(program, kernel, results))
      found.push_back({kernel.name, std::move(results)});
  }
  return found;
}

}  // namespace trellis::symbolic
