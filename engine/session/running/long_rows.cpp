#include "engine/session/running/long_rows.hpp"

#include <algorithm>
#include <numeric>

#include "engine/flow/flow.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/session/running/kernel_queries.hpp"
#include "engine/tensor/for_each_entry.hpp"

namespace trellis::session {
namespace {

/// By coordinate of the level above the entries, where these are what the tensor stores last.
std::vector<std::int64_t> weights_of_rows(const State& state, const flow::MergePath& path) {
  const tensor::Tensor* held = filled(state, path.tensor);
  if (!held || path.level < 1 || path.level + 1 != static_cast<int>(held->format().levels.size())) return {};
  const std::size_t d = format::dimension_of(held->format(), static_cast<std::size_t>(path.level) - 1);
  std::vector<std::int64_t> weights(static_cast<std::size_t>(held->shape()[d]), 1);
  tensor::for_each_element(
      *held, [&](const tensor::Index& index, std::int64_t) { ++weights[static_cast<std::size_t>(index[d])]; });
  return weights;
}

}  // namespace

void warn_of_long_row(const std::vector<std::int64_t>& weights, const std::string& tensor, std::int64_t parts,
                      Sharers sharers, text::Span at, text::Diagnostics& diagnostics) {
  const std::int64_t total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  const auto longest = std::ranges::max_element(weights);
  if (parts < 2 || longest == weights.end() || *longest <= (total + parts - 1) / parts) return;
  const std::string who = sharers == Sharers::ranks ? "ranks" : "threads";
  diagnostics
      .warning("W0212", at,
               "row " + std::to_string(longest - weights.begin()) + " of " + tensor +
                   " has more entries than a part, " + std::to_string(*longest - 1) + " of " +
                   std::to_string(total - std::ssize(weights)))
      .notes.push_back({{}, "rows are not split; fewer " + who + " come out more even"});
}

void warn_of_long_rows(const State& state, const Compilation& compilation, int threads, text::Span at,
                       text::Diagnostics& diagnostics) {
  if (threads < 2) return;
  flow::for_each_stmt(compilation.flow.root, [&](const flow::Stmt& s) {
    const auto* l = s.as<flow::Loop>();
    const auto* c = s.as<flow::Coiterate>();
    const flow::Effects* effects = l ? static_cast<const flow::Effects*>(l) : c;
    if (!effects || !effects->merge_path || !effects->counting) return;
    warn_of_long_row(weights_of_rows(state, *effects->merge_path), effects->merge_path->tensor, threads,
                     Sharers::threads, at, diagnostics);
  });
}

}  // namespace trellis::session
