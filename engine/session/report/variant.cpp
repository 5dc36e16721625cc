#include "engine/session/report/variant.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/session/command/ask.hpp"
#include "engine/session/report/stages.hpp"
#include "engine/session/report/trace.hpp"
#include "engine/session/running/in_time.hpp"
#include "engine/session/running/trial.hpp"
#include "engine/view/json.hpp"

namespace trellis::session {
namespace {

using view::Json;

constexpr std::size_t most_formats = 6;
constexpr const char* stages_of_variants[] = {"schedule", "loops", "storage", "algebra",
                                              "lattice",  "flow",  "c",       "formats"};

/// Formats of declared tensors, as they are written, by their number of dimensions.
std::multimap<std::size_t, std::string> named_formats(const lang::Program& program) {
  std::multimap<std::size_t, std::string> named;
  for (const lang::TensorInfo& info : program.tensors) {
    const std::string format = format::to_string(info.format);
    const auto [begin, end] = named.equal_range(info.shape.size());
    if (info.kind != lang::TensorInfo::Kind::declared || info.shape.empty()) continue;
    if (std::none_of(begin, end, [&](const auto& one) { return one.second == format; }))
      named.emplace(info.shape.size(), format);
  }
  return named;
}

/// The commands that give an operand another one of them, with the operand and the format.
std::vector<std::array<std::string, 3>> format_commands(const lang::Program& program, const lang::Kernel& kernel) {
  std::vector<std::array<std::string, 3>> commands;
  const auto named = named_formats(program);
  for (const std::string& operand : kernel.operands()) {
    const lang::TensorInfo* info = program.tensor(operand);
    if (!info || info->kind != lang::TensorInfo::Kind::declared) continue;
    const std::string own = format::to_string(info->format);
    const auto [begin, end] = named.equal_range(info->shape.size());
    for (auto one = begin; one != end; ++one)
      if (one->second != own) commands.push_back({"format " + operand + " " + one->second, operand, one->second});
  }
  commands.resize(std::min(commands.size(), most_formats));
  return commands;
}

}  // namespace

Json variant_json(State& state, const lang::Kernel& kernel, const std::string& command) {
  text::Diagnostics problems;
  State trial = with_commands(state, kernel.name, command, problems);
  const lang::Program* program = trial.program(problems);
  const lang::Kernel* found = program ? program->kernel(kernel.name) : nullptr;
  Json json{{"legal", false}, {"stages", Json::object()}, {"drawings", Json::object()}};
  if (!found) return json;
  const lang::Kernel changed = *found;
  const bool legal = trial.compilation(changed, problems) != nullptr;
  json["legal"] = legal;
  if (!kernel.loops) add_stage(trial, kernel.name, "placement", json);
  for (const char* stage : stages_of_variants)
    if (legal || std::string_view(stage) == "loops") add_stage(trial, kernel.name, stage, json);
  json["execution"] = trace_json(trial, changed);
  return json;
}

Json formats_json(State& state, const lang::Kernel& kernel) {
  Json list = Json::array();
  text::Diagnostics ignored;
  const lang::Program program = *state.program(ignored);
  in_time(state.cancel, state.options.limits.seconds / parts_of_a_page, [&] {
    for (const auto& [command, tensor, format] : format_commands(program, kernel)) {
      Json one{{"command", command}, {"tensor", tensor}, {"format", format}};
      one.update(variant_json(state, kernel, command));
      list.push_back(std::move(one));
    }
  });
  return list;
}

}  // namespace trellis::session
