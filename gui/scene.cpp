#include "gui/scene.hpp"

#include <algorithm>

namespace trellis::gui {

std::optional<bool> Scene::legal() const {
  if (!explained()) return std::nullopt;
  return !explained()->why.has_value();
}

int Scene::index_number(const std::string& variable) const {
  if (!explained()) return -1;
  // In the order of the program, which stays when loops are reordered: a hue is a name.
  std::vector<std::string> names;
  for (const place::Fragment& fragment : explained()->fragments.fragments)
    for (const std::string& name : fragment.domain.variables)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  const auto found = std::ranges::find(names, variable);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

Colour colour_of_index(const Scene& scene, const Theme& theme, const std::string& variable) {
  const int number = scene.index_number(variable);
  return number < 0 ? theme(Token::ink) : theme.index(number);
}

}  // namespace trellis::gui
