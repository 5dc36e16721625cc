#include "gui/scene.hpp"

#include <algorithm>

#include "engine/text/sequence.hpp"

namespace trellis::gui {

std::optional<bool> Scene::legal() const {
  if (verdict.kind == session::KernelVerdict::Kind::illegal) return false;
  return verdict.is_legal() || verdict.kind == session::KernelVerdict::Kind::differs ? std::optional(true)
                                                                                     : std::nullopt;
}

bool Scene::done_here_alone(std::size_t step) const {
  if (!counterparts || step >= std::min(counterparts->size(), steps.execution)) return false;
  const auto& there = (*counterparts)[step];
  return there && *there >= other_at;
}

int Scene::index_number(const std::string& variable) const {
  const auto found = std::ranges::find(indices, variable);
  return found == indices.end() ? -1 : static_cast<int>(found - indices.begin());
}

std::vector<std::string> indices_of(const session::ExplainedView* explained) {
  std::vector<std::string> names;
  if (!explained) return names;
  for (const place::Fragment& fragment : explained->fragments.fragments)
    for (const std::string& name : fragment.domain.variables)
      if (!lang::tile_of(name)) add_once(names, name);
  return names;
}

const session::Recorded* execution_of(const session::KernelView* kernel) {
  return kernel && kernel->explained ? kernel->explained->execution.get() : nullptr;
}

std::size_t length_of(const session::KernelView* kernel, std::string_view replay) {
  const session::DrawnView* drawn = kernel ? kernel->drawn.get() : nullptr;
  if (replay == "placement") return drawn && drawn->placement ? drawn->placement->events.size() : 0;
  if (replay == "lattice") return drawn && drawn->lattice_walk ? drawn->lattice_walk->trace.steps.size() : 0;
  const session::Recorded* execution = execution_of(kernel);
  return execution ? execution->trace.steps.size() : 0;
}

Colour colour_of_index(const Scene& scene, const Theme& theme, const std::string& variable) {
  // A loop over tiles has the colour of the variable.
  std::string name = lang::variable_of(variable);
  if (const auto* explained = scene.explained())
    for (const lang::LoopName& loop : explained->order)
      if (lang::loop_variable(loop.name) == variable) name = lang::variable_of(loop.name);
  const int number = scene.index_number(name.substr(0, name.find(',')));
  return number < 0 ? theme(Token::ink) : theme.index(number);
}

}  // namespace trellis::gui
