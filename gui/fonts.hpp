#pragma once
// The baked fonts: Inter for what the program says, JetBrains Mono for what the user wrote; DejaVu where they are not
// installed, and for single glyphs that they lack. Each size is baked at the window's scale, so that text is crisp and
// no canvas stretches it.

#include <array>
#include <optional>
#include <string>

struct ImFont;
struct ImFontAtlas;

namespace trellis::gui {

enum class Font {
  small,
  medium,
  text,
  strong,
  title,
  large,  ///< sans 11, 11 medium, 12, 13 semibold, 15 semibold, 20 semibold
  tiny_mono,
  small_mono,
  list_mono,
  mono,
  code,
  large_mono,  ///< advances of 5, 6, 6.5, 7, 8 and 9
  count
};
/// Of a monospaced font: what a character takes, at scale 1.
float advance_of(Font font);
/// The largest monospaced font of at most that advance.
Font mono_for(float advance);

struct Fonts {
  std::array<ImFont*, static_cast<std::size_t>(Font::count)> baked{};
  float scale = 1;
  ImFont* operator[](Font font) const { return baked[static_cast<std::size_t>(font)]; }
};

/// Empties the atlas and bakes every font at that scale. Empty: no font is installed, and `problem` says what to
/// install.
std::optional<Fonts> bake(ImFontAtlas& atlas, float scale, std::string& problem);

}  // namespace trellis::gui
