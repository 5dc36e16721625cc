#include <algorithm>

#include "gui/running.hpp"
#include "gui/text_view.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

using text::Stage;

struct StageChoice {
  Stage stage;
  const char* title;
};
constexpr StageChoice stage_choices[] = {{Stage::equations, "equations"}, {Stage::fragments, "fragments"}, {Stage::graph, "graph"},
                                         {Stage::placement, "placement"}, {Stage::loops, "loops"},         {Stage::algebra, "algebra"},
                                         {Stage::lattice, "lattice"},     {Stage::cfir, "control flow"},   {Stage::c, "C"}};

struct StageShown {
  std::size_t choice = 4;
};

std::string stages_subtitle(const Scene& scene) { return scene.legal() == false ? "as far as an illegal order gets" : "from equations to C"; }

/// Chips, in as many rows as they need; what is left of the area is below them.
void draw_stage_chips(const Scene& scene, Ui& ui, Rect& area, StageShown& shown) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  constexpr float height = 22, gap = 4;
  float x = area.x + 14, y = area.y + 2;
  for (std::size_t i = 0; i < std::size(stage_choices); ++i) {
    const float width = paint.width(stage_choices[i].title, Font::text) + 16;
    if (x + width > area.right() - 14 && x > area.x + 14) x = area.x + 14, y += height + gap;
    const Rect chip{x, y, width, height};
    const bool chosen = shown.choice == i, there = !scene.drawn()->stage(stage_choices[i].stage).characters.empty();
    const Response response = ui.item(std::string("stage:") + text::name_of(stage_choices[i].stage), "choice", stage_choices[i].title,
                                      chosen ? "chosen" : there ? "" : "not reached", chip);
    if (chosen || response.hovered) paint.fill(chip, t(Token::hover), 5);
    if (chosen) paint.outline(chip, t(Token::line2), 1, 5);
    paint.text_in(chip, stage_choices[i].title, Font::text, t(chosen ? Token::ink : there ? Token::soft : Token::line2), Align::centre);
    if (response.clicked) shown.choice = i;
    x += width + gap;
  }
  area.take_top(y + height + 6 - area.y);
}

void draw_stages(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.drawn()) return draw_nothing(ui, area, scene.kernel ? "working" : "there is no kernel yet", scene.kernel ? "" : "write an equation, or Ctrl+G opens an example");
  auto& shown = ui.memory<StageShown>("shown");
  draw_stage_chips(scene, ui, area, shown);
  const StageChoice& choice = stage_choices[shown.choice];
  const text::Text& text = scene.drawn()->stage(choice.stage);
  if (text.characters.empty())
    return draw_nothing(ui, area, scene.legal() == false ? "an illegal order does not get as far as this" : "there is nothing of this stage",
                        scene.legal() == false ? "a fix makes it legal: Ctrl+." : "");
  TextOptions options{.colouring = choice.stage == Stage::c ? Colouring::c : Colouring::program};
  options.current = running_nodes(scene, ui, choice.stage, text);
  draw_text(scene, ui, std::string("text of ") + text::name_of(choice.stage), text, area, options);
}

}  // namespace

const View stages_view = {"stages", "Stages", "stage", stages_subtitle, draw_stages, "show loops"};

}  // namespace trellis::gui
