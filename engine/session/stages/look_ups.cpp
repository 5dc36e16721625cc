#include "engine/session/stages/look_ups.hpp"

#include <algorithm>
#include <set>

#include "engine/explore/orders.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/format/turned.hpp"
#include "engine/session/figures.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/running/kernel_orders.hpp"
#include "engine/session/running/trial.hpp"
#include "engine/session/stages/level_words.hpp"

namespace trellis::session {

namespace {

using flow::LookUp;
using flow::LookUps;

constexpr std::size_t most_offered = 3;

/// `(j,i)`.
std::string in_parentheses(const std::vector<std::string>& loops) {
  std::string out;
  for (const std::string& loop : loops) out += (out.empty() ? "" : ",") + loop;
  return loops.size() == 1 ? out : "(" + out + ")";
}

std::string how_often(const LookUp& one) {
  return one.loops.empty() ? "once" : "for each " + in_parentheses(one.loops);
}

/// `format A csc`: the same levels over the dimensions in another order.
std::vector<std::string> format_commands(const lang::TensorInfo& tensor) {
  std::vector<std::string> commands;
  for (const format::Format& turned : format::in_other_orders(tensor.format))
    commands.push_back("format " + tensor.name + " " + format::to_string(format::with_known_name(turned)));
  return commands;
}

/// `workspace A_w for A(:,:) hash`: an operand is read from a copy. Empty for a result, whose workspaces serve other
/// ends.
std::string copy_command(const lang::Program& program, const lang::Kernel& kernel, const lang::TensorInfo& tensor) {
  const std::vector<std::string> results = kernel.results();
  if (std::ranges::find(results, tensor.name) != results.end()) return "";
  std::string name = tensor.name + "_w", all;
  while (program.tensor(name) || program.parameter(name)) name += "2";
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) all += d ? ",:" : ":";
  return "workspace " + name + " for " + tensor.name + "(" + all + ") hash";
}

struct Way {
  std::string command;
  LookUps then;
  double cycles;  ///< cost::estimate_cycles
};

/// Schedule commands with which the kernel searches less and is estimated to take no longer, each tried out; the best
/// first.
std::vector<Way> ways_to_walk(State& state, const lang::Kernel& kernel, const Compilation& compilation,
                              const LookUps& now) {
  std::vector<Way> ways;
  const double present = estimated_cycles(state, compilation);
  const auto consider = [&](const std::string& command) {
    const auto trial = tried_with(state, kernel.name, command);
    if (!trial) return;
    const Compilation& compiled = *trial->compilation;
    LookUps then = flow::look_ups(compiled.flow, sizes_of(trial->state, compiled.program));
    const double cycles = estimated_cycles(trial->state, compiled);
    if (then.avoidable() < now.avoidable() && cycles <= present) ways.push_back({command, std::move(then), cycles});
  };
  text::Diagnostics ignored;
  if (const auto orders = KernelOrders::of(state, kernel, ignored))
    for (const lang::Order& order : orders->other_legal_ones()) consider("order " + lang::to_string(order));
  std::set<std::string> tensors;
  for (const LookUp& one : now.all)
    if (one.searches() && one.against_storage() && tensors.insert(one.tensor).second)
      if (const lang::TensorInfo* info = compilation.program.tensor(one.tensor)) {
        for (const std::string& command : format_commands(*info)) consider(command);
        if (const std::string command = copy_command(*state.program(ignored), kernel, *info); !command.empty())
          consider(command);
      }
  for (const LookUp& one : now.all)
    if (one.searches() && one.against_storage()) consider("march " + one.tensor + " " + one.outer);
  std::ranges::stable_sort(ways, {}, &Way::cycles);
  if (ways.size() > most_offered) ways.resize(most_offered);
  return ways;
}

/// Is the element walked, or at least looked up less often?
bool helps(const Way& way, const LookUp& one) {
  return std::ranges::none_of(way.then.all, [&](const LookUp& l) {
    return l.tensor == one.tensor && l.against_storage() && l.times >= one.times;
  });
}

std::string listed(const std::vector<std::string>& ways) {
  std::string out;
  for (std::size_t k = 0; k < ways.size(); ++k) out += (k == 0 ? "" : k + 1 < ways.size() ? ", " : " or ") + ways[k];
  return out;
}

}  // namespace

std::vector<std::string> look_ups_in_words(State& state, const lang::Kernel& kernel, const Compilation& compilation) {
  const LookUps now = flow::look_ups(compilation.flow, sizes_of(state, compilation.program));
  const std::vector<Way> ways =
      now.avoidable() > 0 ? ways_to_walk(state, kernel, compilation, now) : std::vector<Way>();
  const double present = estimated_cycles(state, compilation);
  std::vector<std::string> lines;
  for (const LookUp& one : now.all) {
    std::string line = one.element + " is " +
                       (one.held      ? "found in a table"
                        : one.marches ? "found by a marching pointer"
                                      : in_words(one.facts.locate)) +
                       " " + how_often(one);
    std::vector<std::string> better;
    if (one.against_storage() && one.searches()) {
      line += ", against its storage";
      for (const Way& way : ways)
        if (helps(way, one))
          better.push_back("`" + way.command + "` (" + multiple(way.cycles / ways.front().cycles) + ")");
    }
    if (!better.empty())
      line += "; " + listed(better) + " would walk it, now " + multiple(present / ways.front().cycles);
    lines.push_back(line);
  }
  return lines;
}

namespace {

const LookUp& worst_of(const LookUps& now) {
  return *std::ranges::max_element(now.all, {},
                                   [](const LookUp& l) { return l.searches() && l.against_storage() ? l.times : -1; });
}

std::optional<text::Diagnostic> warning(State& state, const lang::Kernel& kernel, const Compilation& compilation,
                                        const LookUps& now) {
  const std::vector<Way> ways = ways_to_walk(state, kernel, compilation, now);
  if (ways.empty()) return std::nullopt;
  const LookUp& worst = worst_of(now);
  text::Diagnostic d;
  d.severity = text::Severity::warning;
  d.code = "W0210";
  d.span = worst.span;
  d.message = "kernel " + kernel.name + " walks " + worst.tensor + " against its storage";
  d.label = "one search " + how_often(worst);
  d.notes.push_back({{},
                     worst.tensor + " is stored by " + worst.inner + " first, but the loop over " + worst.outer +
                         " is outside of that over " + worst.inner});
  if (const tensor::Tensor* held = state.data.held(worst.tensor); held && worst.counted)
    d.extent = counted(static_cast<std::int64_t>(*worst.counted), "search", "searches") + " for " +
               counted(held->entries(), "stored entry", "stored entries");
  for (const Way& way : ways) d.fixes.push_back({way.command, "the result is the same either way", 0});
  return d;
}

}  // namespace

std::optional<text::Diagnostic> searches(State& state, const lang::Kernel& kernel, const Compilation& compilation) {
  const LookUps now = flow::look_ups(compilation.flow, sizes_of(state, compilation.program));
  return now.avoidable() == 0 || !kernel.pattern_of.empty() ? std::nullopt : warning(state, kernel, compilation, now);
}

void warn_of_searches(State& state, const lang::Kernel& kernel, const Compilation& compilation,
                      text::Diagnostics& diagnostics) {
  const LookUps now = flow::look_ups(compilation.flow, sizes_of(state, compilation.program));
  if (now.avoidable() == 0 || !kernel.pattern_of.empty()) return;
  const LookUp& worst = worst_of(now);
  if (!state.declarations.first_time("W0210 " + kernel.name + " " + worst.element + " " + how_often(worst))) return;
  auto found = warning(state, kernel, compilation, now);
  if (!found) return;
  state.offer = {diagnostics.add(std::move(*found)).fixes, kernel.name};
}

}  // namespace trellis::session
