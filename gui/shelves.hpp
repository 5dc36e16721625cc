#pragma once
// Examples by topic, as examples/README.md has them: those to start with first.

#include <string>
#include <string_view>
#include <vector>

namespace trellis::gui {

struct Shelf {
  std::string topic;                  ///< "Linear algebra"
  std::vector<std::size_t> examples;  ///< by their numbers among session::example_programs
};
/// Those that the page does not name come last, under "Others".
std::vector<Shelf> shelves_of(std::string_view page);
const std::vector<Shelf>& shelves();

}  // namespace trellis::gui
