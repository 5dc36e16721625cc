#include <sstream>

#include "gui/app.hpp"

namespace trellis::gui {

// Element and place in storage are told to the session, so that every view and the console see them.
void App::select(const std::string& words) {
  std::istringstream in(words);
  std::string what, tensor;
  in >> what >> tensor;
  std::vector<std::int64_t> numbers;
  for (std::int64_t number = 0; in >> number;) numbers.push_back(number);
  session::Selection selection = document().snapshot().selection;
  selection.pins = pins_;
  selection.element.reset(), selection.position.reset();
  if (what == "element" && !tensor.empty()) {
    selection.element = {tensor, numbers};
  } else if (what == "position" && numbers.size() == 2) {
    selection.position = {tensor, static_cast<int>(numbers[0]), numbers[1]};
  } else if (what != "nothing") {
    return console_.say("window select " + words, "what: element TENSOR INDICES, position TENSOR LEVEL PLACE, nothing", true);
  }
  document().worker().select(selection);
}

}  // namespace trellis::gui
