#include "engine/session/running/estimates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "engine/format/storage_order.hpp"
#include "engine/session/running/kernel_queries.hpp"
#include "engine/session/running/planned.hpp"
#include "engine/session/running/trial.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {
namespace {

/// Of as many entries in another format: each sparse level has at most one for each of them.
std::vector<double> regions_in(const format::Format& format, const tensor::Tensor& held) {
  const double entries = static_cast<double>(held.entries());
  std::vector<double> all;
  double positions = 1;
  const tensor::Index sizes = format::level_sizes(format, held.shape());
  for (std::size_t level = 0; level < format.levels.size(); ++level) {
    positions *= static_cast<double>(sizes[level]);
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

/// The statement of the loops that a statement of the flow comes from; where a loop is among several, it is what the
/// others became part of. -1: none.
int loop_statement(const text::Origin& origin, const std::set<int>& leaves) {
  int found = -1;
  for (const text::NodeId& node : origin)
    if (node.stage == text::Stage::loops && (!leaves.contains(found) || leaves.contains(node.id))) found = node.id;
  return found;
}

std::set<int> leaves_of(const loop::Stmt& nest) {
  std::set<int> leaves;
  loop::for_each(nest, [&](const loop::Stmt& s) {
    if (s.as<loop::Assign>()) leaves.insert(s.id());
  });
  return leaves;
}

}  // namespace

namespace {

/// By level, where those are dimensions; counted once for what is stored.
void add_degrees(const State& state, const lang::TensorInfo& info, const tensor::Tensor& held, cost::Data& data) {
  constexpr std::int64_t few = 256;  // of which no fiber is far from the others
  if (info.format.layout || held.format().layout || !info.inverse_of.empty() || held.entries() < few) return;
  const auto known = counted_entries(state, held);
  data.counted = state.caches.counted;
  for (std::size_t level = 0; level < info.format.levels.size(); ++level)
    data.degrees[info.name].emplace_back(known, &known->degrees[format::dimension_of(info.format, level)]);
}

/// Of a copy that the kernel itself makes (results/copy_operand.hpp): what it copies has as many at each coordinate.
void add_degrees_of_copies(const Compilation& compilation, cost::Data& data) {
  loop::for_each(compilation.loops, [&](const loop::Stmt& s) {
    const auto* assign = s.as<loop::Assign>();
    const auto* to = assign && !assign->op ? assign->target.as<lang::Access>() : nullptr;
    const auto* from = to ? assign->value.as<lang::Access>() : nullptr;
    const flow::Tensor* copy = from && to->indices == from->indices ? compilation.flow.tensor(to->tensor) : nullptr;
    const lang::TensorInfo* info = copy ? compilation.program.tensor(from->tensor) : nullptr;
    const auto known = data.degrees.find(from ? from->tensor : "");
    if (!info || copy->storage != flow::Tensor::Storage::temporary || known == data.degrees.end()) return;
    if (copy->order.size() != known->second.size()) return;
    std::vector<cost::Degrees::Key> by_level;
    for (const int dimension : copy->order)
      for (std::size_t level = 0; level < known->second.size(); ++level)
        if (format::dimension_of(info->format, level) == static_cast<std::size_t>(dimension))
          by_level.push_back(known->second[level]);
    data.degrees.insert_or_assign(copy->name, std::move(by_level));
  });
}

/// Loops of panels go over positions, of which data say nothing: what the columns do that they replace stands for them.
const flow::Flow& costed(const Compilation& compilation) {
  return compilation.kernel.schedule.supernodes.empty() ? compilation.flow : compilation.lowered;
}

}  // namespace

cost::Data data_of(const State& state, const Compilation& compilation) {
  cost::Data data;
  data.sizes = sizes_of(state, compilation.program);
  const std::vector<std::string> results = compilation.kernel.results();
  for (const flow::Tensor& used : compilation.flow.tensors) {
    const lang::TensorInfo* info = compilation.program.tensor(used.name);
    const lang::TensorInfo* origin = info ? laid_out_of(state, *info) : nullptr;
    const tensor::Tensor* held = state.data.held(origin ? origin->name : used.name);
    if (origin && held && !info->inverse_of.empty()) held = state.data.derived(*info, *held);
    if (!info || !held || held->reserved() || !used.sparse() || held->rank() != info->format.dimensions()) continue;
    // Of what the kernel computes, an earlier run says nothing: its next one is to be the same.
    const bool made = contains(results, used.name) && !compilation.kernel.inherited.contains(used.name);
    if (made || !state.data.has(origin ? origin->name : used.name)) continue;
    data.regions[used.name] =
        format::same_storage(held->format(), info->format) ? cost::regions_of(*held) : regions_in(info->format, *held);
    add_degrees(state, *info, *held, data);
  }
  // A result that has the entries of another one.
  for (const flow::Tensor& used : compilation.flow.tensors)
    if (const auto mask = data.regions.find(used.entries_of); mask != data.regions.end())
      data.regions[used.name] = mask->second;
  add_degrees_of_copies(compilation, data);
  return data;
}

cost::Estimate estimated(const State& state, const Compilation& compilation) {
  static const int threads = cost::Machine::present().threads;
  cost::Machine machine = state.options.machine;
  machine.threads = threads;
  return cost::estimate(compilation.flow, data_of(state, compilation), machine);
}

double estimated_cycles(const State& state, const Compilation& compilation, int threads) {
  cost::Machine machine = state.options.machine;
  machine.threads = threads;
  return cost::estimate_cycles(costed(compilation), data_of(state, compilation), machine);
}

double estimated_cycles(const State& state, const Compilation& compilation) {
  return estimated(state, compilation).cycles;
}

double estimated_where_larger(const State& state, const Compilation& compilation, double times) {
  cost::Data data = data_of(state, compilation);
  for (auto& [name, size] : data.sizes) size = static_cast<std::int64_t>(times * static_cast<double>(size));
  for (auto& [name, regions] : data.regions)
    for (double& number : regions) number *= times;
  cost::Machine machine = state.options.machine;
  machine.threads = 1;
  return cost::estimate_cycles(costed(compilation), data, machine);
}

std::map<int, double> cost_shares(const State& state, const Compilation& compilation) {
  const cost::Estimate estimate = estimated(state, compilation);
  const std::set<int> leaves = leaves_of(compilation.loops);
  std::map<int, double> shares;
  flow::for_each_stmt(compilation.flow.root, [&](const flow::Stmt& s) {
    const auto part = estimate.by_statement.find(s.id());
    const int statement = loop_statement(s.origin(), leaves);
    if (part != estimate.by_statement.end() && statement >= 0 && estimate.cycles > 0)
      shares[statement] += part->second / estimate.cycles;
  });
  return shares;
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
