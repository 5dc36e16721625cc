#include "engine/session/estimates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/format/storage_order.hpp"
#include "engine/session/trial.hpp"

namespace trellis::session {
namespace {

/// Of as many entries in another format: each sparse level has at most one for each of them.
std::vector<double> regions_in(const format::Format& format, const tensor::Tensor& held) {
  const double entries = static_cast<double>(held.entries());
  std::vector<double> all;
  double positions = 1;
  for (std::size_t level = 0; level < format.levels.size(); ++level) {
    positions *= static_cast<double>(held.shape()[format::dimension_of(format, level)]);
    if (!format::facts(format.levels[level]).dense()) positions = std::min(positions, entries);
    all.push_back(positions);
  }
  return all;
}

std::optional<double> cycles_of(State& state, lang::Kernel kernel, const lang::Order& order) {
  kernel.schedule.order = order;
  text::Diagnostics ignored;
  const auto compilation = state.compilation(kernel, ignored);
  return compilation ? std::optional(estimated_cycles(state, *compilation)) : std::nullopt;
}

}  // namespace

cost::Data data_of(const State& state, const Compilation& compilation) {
  cost::Data data;
  data.sizes = sizes_of(state, compilation.program);
  for (const flow::Tensor& used : compilation.flow.tensors) {
    const lang::TensorInfo* info = compilation.program.tensor(used.name);
    const tensor::Tensor* held = state.held(used.name);
    if (!info || !held || held->reserved() || !used.sparse() || held->rank() != info->format.rank()) continue;
    if (used.storage == flow::Tensor::Storage::result && !state.has(used.name)) continue;
    data.regions[used.name] =
        format::same_storage(held->format(), info->format) ? cost::regions_of(*held) : regions_in(info->format, *held);
  }
  return data;
}

double estimated_cycles(const State& state, const Compilation& compilation) {
  static const cost::Machine machine = cost::Machine::present();
  return cost::estimate_cycles(compilation.flow, data_of(state, compilation), machine);
}

void estimate_orders(State& state, const lang::Kernel& given, std::vector<explore::Verdict>& orders) {
  const lang::Kernel kernel = given;  // compiling others may renew the program that holds it
  const Offer offer = state.offer;
  double least = 0;
  int left = most_estimated;
  for (explore::Verdict& verdict : orders) {
    if (!verdict.legal || left-- <= 0) continue;
    verdict.cost = cycles_of(state, kernel, verdict.order);
    if (verdict.cost && (least == 0 || *verdict.cost < least)) least = *verdict.cost;
  }
  state.offer = offer;
  for (explore::Verdict& verdict : orders)
    if (verdict.cost && least > 0) *verdict.cost /= least;
}

void sort_by_estimate(std::vector<explore::Verdict>& orders) {
  const auto key = [](const explore::Verdict& v) {
    return std::pair(!v.legal, v.cost ? std::round(*v.cost * 20) : std::numeric_limits<double>::infinity());
  };
  std::ranges::stable_sort(orders, {}, key);
}

}  // namespace trellis::session
