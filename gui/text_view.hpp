#pragma once
// Annotated text to read: loops, control flow, C and the other stages, with colours, scrolling, kin that lights up and
// a line that follows what runs.

#include <optional>
#include <string>
#include <vector>

#include "engine/text/text.hpp"
#include "gui/scene.hpp"

namespace trellis::gui {

enum class Colouring { none, program, c, assembly };

struct Stretch {
  std::uint32_t begin = 0, end = 0;  ///< bytes of the line
  Token token = Token::ink;
  int index = -1;  ///< of the kernel: has a hue of its own
};
/// Colours of one line; what no stretch covers is ink. `scene` knows the indices, and may be null.
std::vector<Stretch> coloured(std::string_view line, Colouring colouring, const Scene* scene);
/// A line in its colours; the result is its width.
float paint_line(Paint& paint, const Theme& theme, Point at, std::string_view line, Colouring colouring,
                 const Scene* scene, Font font, float opacity = 1);

/// How many characters stand in so many bytes.
int columns(std::string_view text);

/// Stretches of the text that are lit, merged: nested ones would be painted over each other. Loops, and whatever else
/// has parts on lines of their own, are not among them, as what they hold has a light of its own.
struct Lit {
  std::uint32_t begin = 0, end = 0;
  Ui::Glow glow = Ui::Glow::none;
};
std::vector<Lit> lit_stretches(const Ui& ui, const text::Text& text);
/// Those: they are outlined.
std::vector<Lit> lit_blocks(const Ui& ui, const text::Text& text);
void draw_block(Paint& paint, const Theme& theme, Rect area, Ui::Glow glow);
void draw_glow(Paint& paint, const Theme& theme, Rect spot, Ui::Glow glow);

struct TextOptions {
  Colouring colouring = Colouring::program;
  Font font = Font::list_mono;
  float row = 18;
  bool numbers = false;
  std::vector<text::NodeId> current = {};  ///< what runs now: its lines are tinted, and scrolled to when they change
  bool heads = false;                      ///< of what runs now only its first line: the condition, not what it is of
  std::vector<bool> dimmed = {};           ///< by line
  std::vector<std::string> remarks = {};   ///< by line, said behind it
  std::vector<double> shares = {};         ///< by line, 0 to 1: a tint at the left, of the cost
};
/// Fills the area. `id` names what is kept, such as the scroll.
void draw_text(const Scene& scene, Ui& ui, const std::string& id, const text::Text& text, Rect area,
               const TextOptions& options = {});

}  // namespace trellis::gui
