#include "engine/session/running/plan_choice.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/format/storage_order.hpp"
#include "engine/session/figures.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/running/kernel_queries.hpp"
#include "engine/session/running/planned.hpp"
#include "engine/session/running/trial.hpp"

namespace trellis::session {
namespace {

double ms_of(const State& state, double cycles) { return cycles / state.options.machine.per_nanosecond / 1e6; }

std::string why_as_written(const State& state, const lang::Kernel& kernel, const Plan* plan) {
  if (!kernel.schedule.planned) return "plan off stands in its schedule";
  if (kernel.loops) return "it is a loop program";
  if (kernel.schedule.order) return "an order stands in its schedule";
  if (!kernel.schedule.steps.empty()) return "steps of loops stand in its schedule";
  if (!kernel.schedule.distributions.empty()) return "its loops are dealt out to ranks";
  if (!kernel.pattern_of.empty()) return "it finds a pattern";
  if (!plan) return "it is wrong";
  if (plan->cycles_written < state.options.least_planned)
    return "that takes some " + duration(ms_of(state, plan->cycles_written)) + ", which is less than looking further";
  return "";
}

/// With so many times the entries of an operand, and of what is laid out of it, as far as there is room.
cost::Data with_entries(const State& state, const Compilation& compilation, const std::string& operand, double times) {
  cost::Data data = data_of(state, compilation);
  for (auto& [name, regions] : data.regions) {
    const lang::TensorInfo* info = compilation.program.tensor(name);
    if (!info || info->format.layout || (name != operand && info->derived_from() != operand)) continue;
    double room = 1;
    for (std::size_t l = 0; l < regions.size(); ++l) {
      const math::Affine& extent = info->shape[format::dimension_of(info->format, l)];
      room *= std::max<double>(1, static_cast<double>(state.value_of(extent).value_or(1)));
      if (!format::facts(info->format.levels[l]).dense()) regions[l] = std::clamp(regions[l] * times, 1.0, room);
    }
  }
  return data;
}

/// With another size; what has a dimension of it stores the same part of its elements.
cost::Data with_size(const State& state, const Compilation& compilation, const std::string& size, std::int64_t value,
                     double times) {
  cost::Data data = data_of(state, compilation);
  data.sizes[size] = value;
  for (auto& [name, regions] : data.regions) {
    const lang::TensorInfo* info = compilation.program.tensor(name);
    if (!info || info->format.layout) continue;
    double so_far = 1;
    for (std::size_t l = 0; l < regions.size(); ++l) {
      const math::Affine& extent = info->shape[format::dimension_of(info->format, l)];
      if (extent.coefficient(size) != 0) so_far *= times;
      regions[l] = std::max(1.0, regions[l] * so_far);
    }
  }
  return data;
}

/// The least change of a size, or of how much an operand stores, at which the runner-up takes less.
class Flips {
 public:
  Flips(const State& state, const Plan& plan) : state_(state), plan_(plan) {}

  std::vector<std::string> find() const {
    std::vector<std::string> found;
    if (!plan_.second) return found;
    for (const std::string& name : inputs_of(plan_.written->kernel)) {
      const tensor::Tensor* held = filled(state_, name);
      if (!held || held->format().all_dense() || held->format().layout) continue;
      for (const double times : {0.5, 2.0, 0.25, 4.0, 0.0625, 16.0, 1.0 / 256, 256.0})
        if (wins(name, times)) {
          const double entries = std::max(1.0, std::round(static_cast<double>(held->entries()) * times));
          found.push_back(plan_.ways[1].what + " would win with some " +
                          std::to_string(static_cast<std::int64_t>(entries)) + " entries of " + name + " instead of " +
                          std::to_string(held->entries()));
          break;
        }
    }
    for (const auto& [size, value] : present_sizes())
      for (const double times : {0.5, 2.0, 0.25, 4.0, 0.0625, 16.0, 1.0 / 256, 256.0}) {
        const auto other = static_cast<std::int64_t>(std::round(static_cast<double>(value) * times));
        if (other < 1 || !wins_at(size, value, other)) continue;
        found.push_back(plan_.ways[1].what + " would win with " + size + " = " + std::to_string(other) +
                        " instead of " + std::to_string(value));
        break;
      }
    return found;
  }

 private:
  cost::Machine serial() const {
    cost::Machine machine = state_.options.machine;
    machine.threads = 1;
    return machine;
  }

  bool wins(const std::string& operand, double times) const {
    return second_wins([&](const Compilation& c) { return with_entries(state_, c, operand, times); }, times);
  }

  /// Each tensor of that size stores as many of its elements as now.
  bool wins_at(const std::string& size, std::int64_t now, std::int64_t other) const {
    const double times = static_cast<double>(other) / static_cast<double>(now);
    return second_wins([&](const Compilation& c) { return with_size(state_, c, size, other, times); }, times);
  }

  template <class DataOf>
  bool second_wins(DataOf&& data_of, double times) const {
    const auto cycles = [&](const Compilation& compilation, double laying_out) {
      return cost::estimate_cycles(compilation.flow, data_of(compilation), serial()) + laying_out * times;
    };
    return cycles(*plan_.second, plan_.ways[1].laying_out) < cycles(*plan_.chosen, plan_.ways[0].laying_out);
  }

  explore::Names present_sizes() const { return known_sizes(state_, plan_.written->program); }

  const State& state_;
  const Plan& plan_;
};

}  // namespace

PlanChoice plan_choice(State& state, const lang::Kernel& kernel, bool flips) {
  const Plan* plan = plan_for(state, kernel);
  PlanChoice choice{kernel.name, why_as_written(state, kernel, plan), {}};
  if (const FinishedRun* run = state.finished(kernel); run && run->took.ms > 0) {
    choice.measured_ms = run->took.ms;
    choice.backend = run::name_of(run->took.backend);
  }
  if (const FinishedRun* run = state.finished(kernel); run && plan)
    for (const auto& [name, tensor] : run->after)
      if (!tensor.dense()) choice.stored.emplace_back(name, tensor.entries());
  if (!plan || !choice.as_written.empty()) return choice;
  for (const Plan::Way& way : plan->ways) choice.ways.push_back({way.what, ms_of(state, way.cycles)});
  if (flips) choice.flips = Flips(state, *plan).find();
  return choice;
}

std::string to_string(const PlanChoice& choice) {
  std::string out = "kernel " + choice.kernel + " runs ";
  if (!choice.as_written.empty()) out += "as it is written: " + choice.as_written + "\n";
  if (!choice.ways.empty()) {
    constexpr double longest = 24;
    std::size_t width = 0;
    double most = 0;
    for (const PlanChoice::Way& way : choice.ways)
      width = std::max(width, way.what.size()), most = std::max(most, way.ms);
    out += "as the first of these, by what is estimated:\n";
    for (const PlanChoice::Way& way : choice.ways) {
      const std::string time = duration(way.ms);
      out += "  " + way.what + std::string(width - way.what.size(), ' ') +
             std::string(10 - std::min<std::size_t>(10, time.size()), ' ') + time + "  ";
      const int cells = std::max(1, static_cast<int>(std::lround(longest * way.ms / most)));
      for (int k = 0; k < cells; ++k) out += "█";
      out += "\n";
    }
  }
  if (choice.measured_ms) {
    out += "its last run took " + duration(*choice.measured_ms) + ", " + choice.backend;
    if (!choice.ways.empty()) out += ", beside an estimate of " + duration(choice.ways.front().ms);
    out += "\n";
  }
  for (const auto& [name, entries] : choice.stored) out += name + " stores " + std::to_string(entries) + " entries\n";
  for (const std::string& flip : choice.flips) out += flip + "\n";
  return out;
}

nlohmann::ordered_json to_json(const PlanChoice& choice) {
  nlohmann::ordered_json json;
  json["as_written"] = nullptr;
  if (!choice.as_written.empty()) json["as_written"] = choice.as_written;
  json["ways"] = nlohmann::ordered_json::array();
  for (const PlanChoice::Way& way : choice.ways) json["ways"].push_back({{"what", way.what}, {"ms", way.ms}});
  if (choice.measured_ms) json["measured_ms"] = *choice.measured_ms, json["backend"] = choice.backend;
  for (const auto& [name, entries] : choice.stored) json["stored"][name] = entries;
  json["flips"] = choice.flips;
  return json;
}

}  // namespace trellis::session
