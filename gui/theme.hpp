#pragma once
// Colours by what they mean. Five themes, read from the tokens that the report's page uses too
// (engine/view/tokens.json).

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trellis::gui {

/// Red in the lowest byte, as ImGui packs them; the highest byte is how opaque it is.
using Colour = std::uint32_t;
Colour faded(Colour colour, float opacity);
/// Between the two: 0 is `a`, 1 is `b`.
Colour mixed(Colour a, Colour b, float how_far);

enum class Token {
  window,
  pane,
  raised,
  hover,
  line,
  line2,
  edge,
  ink,
  soft,
  faint,
  accent,
  on_accent,
  kin,
  good,
  bad,
  warn,
  cell,
  word,
  number,
  comment,
  index1,
  index2,
  index3,
  index4,
  index5,
  index6,
  count
};
const char* name_of(Token token);

struct Theme {
  std::string name;  ///< "dark", "light", "contrast", "dark-safe", "light-safe"
  std::array<Colour, static_cast<std::size_t>(Token::count)> colours{};
  bool light = false;
  float kin_fill = 0.17F, verdict_fill = 0.13F;  ///< opacity behind text
  float border = 1, active_border = 1.5F;

  Colour operator()(Token token) const { return colours[static_cast<std::size_t>(token)]; }
  Colour fill(Token token, float opacity) const { return faded((*this)(token), opacity); }
  /// An index of the kernel, by its number from 0: cool hues, one for each; from the seventh on they repeat.
  Colour index(int number) const { return (*this)(static_cast<Token>(static_cast<int>(Token::index1) + number % 6)); }
};

/// In the order in which a switch goes through them.
const std::vector<Theme>& themes();
const Theme& theme(std::string_view name);  ///< the first when there is none of that name

}  // namespace trellis::gui
