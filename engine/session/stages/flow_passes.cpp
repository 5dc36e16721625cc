#include "engine/session/stages/flow_passes.hpp"

#include <utility>

#include "engine/explore/diff.hpp"
#include "engine/flow/passes.hpp"

namespace trellis::session {

namespace {

std::vector<PassShown::Line> lines_between(const std::string& before, const std::string& after) {
  std::vector<PassShown::Line> lines;
  for (const explore::DiffLine& line : explore::line_diff(before, after))
    lines.push_back({line.mark, std::string(line.text)});
  return lines;
}

}  // namespace

std::vector<PassShown> passes_of(const Compilation& compilation) {
  std::vector<PassShown> all;
  std::string before = flow::print(compilation.lowered).characters;
  for (const flow::Flow& flow : flow::after_each_pass(compilation.lowered, compilation.kernel)) {
    const flow::PassName& pass = flow::pass_names()[all.size()];
    std::string after = flow::print(flow).characters;
    PassShown shown{pass.name, pass.reason, explore::unified_diff(before, after)};
    if (!shown.diff.empty()) shown.lines = lines_between(before, after);
    all.push_back(std::move(shown));
    before = std::move(after);
  }
  return all;
}

std::string to_string(const std::vector<PassShown>& passes) {
  std::string text, idle;
  const auto say_idle = [&] {
    if (!idle.empty()) text += "# nothing is changed by" + std::exchange(idle, "") + "\n";
  };
  for (const PassShown& pass : passes) {
    if (pass.diff.empty()) {
      idle += ' ' + pass.name;
      continue;
    }
    say_idle();
    text += "# " + pass.name + ": " + pass.reason + "\n" + pass.diff;
  }
  say_idle();
  return text;
}

std::optional<flow::Flow> flow_after(const Compilation& compilation, const std::string& pass) {
  const std::vector<flow::Flow> all = flow::after_each_pass(compilation.lowered, compilation.kernel);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (flow::pass_names()[k].name == pass) return all[k];
  return std::nullopt;
}

}  // namespace trellis::session
