// About the pane that has the keys: what docs/explorer.md says of it, its keys, and the command that says the same in
// words.
#include <cmath>

#include "engine/session/program/documents.hpp"
#include "gui/overlays/sheet.hpp"
#include "gui/shortcuts.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

/// The text below `## pane: Title`, without the heading.
std::string_view page_of_pane(std::string_view title) {
  const std::string heading = "\n## pane: " + std::string(title) + "\n";
  const std::size_t at = session::explorer_page.find(heading);
  if (at == std::string_view::npos) return {};
  const std::string_view behind = session::explorer_page.substr(at + heading.size());
  return behind.substr(0, behind.find("\n## "));
}

/// Words that flow, with `code` and *what stands out* among them; the result is where the next line would be.
float draw_prose(Ui& ui, Rect area, std::string_view text) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const float row = 21, blank = paint.width(" ", Font::text);
  float x = area.x, y = area.y;
  bool code = false, strong = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n' || text[at] == ' ') {
      const bool paragraph = text.substr(at).starts_with("\n\n");
      if (paragraph && x > area.x) x = area.x, y += row + 8;
      at += paragraph ? 2 : 1;
      continue;
    }
    // Up to a blank, or all of a piece of code.
    std::size_t end = at;
    if (text[at] == '`') code = true, ++at, end = std::min(text.find('`', at), text.size());
    else if (text[at] == '*' && !code) {
      strong = !strong, ++at;
      continue;
    } else end = std::min(text.find_first_of(" \n`*", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const Font font = code ? Font::list_mono : Font::text;
    const float width = paint.width(word, font) + (code ? 8 : 0);
    if (x + width > area.right() && x > area.x) x = area.x, y += row;
    if (code) paint.fill({x, y + 1, width, 17}, t(Token::raised), 3);
    paint.text({x + (code ? 4 : 0), y + std::round((19 - paint.height(font)) / 2)}, word, font,
               t(code || strong ? Token::ink : Token::soft));
    x += width;
    if (code) code = false, ++end;
    if (end < text.size() && (text[end] == ' ' || text[end] == '\n')) x += blank;
    at = end;
  }
  return y + row;
}

struct KeyLine {
  std::string title, chord;
};

std::vector<KeyLine> keys_of(App& app, const View& view) {
  std::vector<KeyLine> lines;
  for (const Command& action : commands()) {
    const std::string_view id = action.id;
    const bool replays = *view.replay && std::string_view(action.group) == "replay" && !id.ends_with("pass");
    const bool everywhere =
        id == "palette" || id == "find" || id == "export" || id == "next pane" || id == "navigate back";
    const std::string chord = chord_of(action, app.settings);
    if ((replays || everywhere) && !chord.empty()) lines.push_back({action.title, chord});
  }
  lines.push_back({"To the next thing in the pane, and what a click does", "Down"});
  return lines;
}

}  // namespace

void draw_help(App& app, Ui& ui, Rect window, const std::string& words) {
  const View* view = find_view(words.empty() ? app.panes.active() : words);
  if (!view) return app.modal.close();
  const std::vector<KeyLine> keys = keys_of(app, *view);
  const std::string_view page = page_of_pane(view->title);
  // What it takes is known once it was drawn.
  float& prose = ui.memory<float>(std::string("help ") + view->id);
  const float height =
      48 + std::max(prose, 40.F) + 34 + static_cast<float>(keys.size()) * 27 + (*view->twin ? 46.F : 0.F) + 62;
  Rect area = draw_sheet(app, ui, window,
                         {.title = view->title, .subtitle = "what this pane shows", .width = 600, .height = height});
  Rect foot = area.take_bottom(58).inset(0, 13);
  ui.label("help", std::string(page), area);
  {
    const Clip clip(ui.paint(), area);
    const float end = draw_prose(ui, area, page);
    prose = end - area.y;
    area.take_top(prose + 8);
    draw_heading(ui, area.take_top(24), "Keys");
    for (const KeyLine& line : keys) {
      const Rect row = area.take_top(27);
      ui.paint().text_in(row, line.title, Font::text, ui.theme()(Token::ink));
      draw_chord(ui.paint(), ui.theme(), row, line.chord);
    }
    if (*view->twin) {
      area.take_top(8);
      Rect row = area.take_top(30);
      const float label = ui.paint().width("In words", Font::text) + 12;
      ui.paint().text_in(row.take_left(label), "In words", Font::text, ui.theme()(Token::faint));
      const Rect chip = row.take_left(ui.paint().width(view->twin, Font::list_mono) + 20);
      if (ui.button("twin", "", chip)) app.modal.close(), ui.act("window pane console"), ui.act(view->twin);
      ui.paint().text_in(chip, view->twin, Font::list_mono, ui.theme()(Token::ink), Align::centre);
    }
  }
  const std::string given =
      draw_answers(ui, foot, {{"done", "Close", "Enter", true}, {"keys", "All keys", ""}, {"tour", "Tour", ""}});
  if (given == "done") app.modal.close();
  else if (!given.empty()) ui.act("window " + given);
}

}  // namespace trellis::gui
