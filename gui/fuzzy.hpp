#pragma once
// How well what was typed fits a name: its letters occur in it in their order, best at the beginnings of words and side
// by side.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace trellis::gui {

struct Fit {
  int score = 0;                  ///< higher is better; only fits of the same query compare
  std::vector<std::uint32_t> at;  ///< bytes of the text that fit, rising
};
/// Upper and lower case are the same; blanks of the query are ignored. An empty query fits everything.
std::optional<Fit> fit(std::string_view query, std::string_view text);

}  // namespace trellis::gui
