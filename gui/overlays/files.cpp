// Saving, and the questions asked before something is lost.
#include <filesystem>

#include "gui/overlays/path.hpp"
#include "gui/overlays/sheet.hpp"
#include "gui/text_view.hpp"
#include "gui/words.hpp"

namespace trellis::gui {

namespace {

/// The lines of a program that there is room for.
void draw_beginning(Ui& ui, Rect area, std::string_view text) {
  const Clip clip(ui.paint(), area);
  for (float y = area.y; !text.empty() && y < area.bottom(); y += 18) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    paint_line(ui.paint(), ui.theme(), {area.x, y}, text.substr(0, end), Colouring::program, nullptr, Font::list_mono);
    text.remove_prefix(std::min(text.size(), end + 1));
  }
}

}  // namespace

void draw_save(App& app, Ui& ui, Rect window, const std::string&) {
  auto& kept = ui.memory<PathKept>("save");
  if (app.modal.is_new())
    begin_path(kept, app.document().path().empty() ? app.document().name() : app.document().path());
  Rect area =
      draw_sheet(app, ui, window, {.title = "Save as", .subtitle = "Tab completes", .width = 620, .height = 440});
  Rect foot = area.take_bottom(58).inset(0, 13);
  std::optional<std::string> path = draw_path(ui, area, kept, ".tr", "a name, such as viterbi.tr");
  const std::string typed = kept.line.text();
  const bool there = !typed.empty() && std::filesystem::exists(typed) && typed != app.document().path();
  if (const std::string given = draw_answers(
          ui, foot, {{"save", there ? "Replace" : "Save", "Ctrl+S", true}, {"cancel", "Cancel", "", false}});
      !given.empty()) {
    if (given == "cancel") return app.modal.close();
    path = typed;
  }
  if (there) {
    ui.paint().text_in(foot, "There is a file of that name.", Font::text, ui.theme()(Token::soft));
    ui.label("exists", "There is a file of that name.", foot);
  }
  if (!path || path->empty() || path->ends_with('/')) return;
  if (std::filesystem::path(*path).extension().empty()) *path += ".tr";
  const std::string held = app.modal.held_up();
  ui.act("window save " + in_quotes(*path));
  if (held.empty()) app.modal.close();
}

void draw_unsaved(App& app, Ui& ui, Rect window, const std::string&) {
  const std::string name = app.document().name();
  Rect area = draw_sheet(app, ui, window, {.title = "Save the changes to " + name + "?", .width = 480, .height = 168});
  Rect foot = area.take_bottom(58).inset(0, 13);
  ui.paint().paragraph(area, "What was typed since it was last saved is lost otherwise.", Font::text,
                       ui.theme()(Token::soft));
  const std::string given = draw_answers(
      ui, foot, {{"save", "Save", "Enter", true}, {"drop", "Don't save", "D"}, {"stay", "Stay", "Escape"}});
  if (given == "save") ui.act("window save");
  else if (!given.empty()) ui.act("window " + given);
}

void draw_recover(App& app, Ui& ui, Rect window, const std::string&) {
  if (!app.files.left()) return app.modal.close();
  const std::string name = app.files.left()->path.empty()
                               ? "a new program"
                               : std::filesystem::path(app.files.left()->path).filename().string();
  Rect area = draw_sheet(
      app, ui, window,
      {.title = "Take up what was not saved?", .subtitle = name, .width = 600, .height = 380, .closes = false});
  Rect foot = area.take_bottom(58).inset(0, 13);
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  paint.text_in(area.take_top(26), "The explorer ended before this text was saved:", Font::text, t(Token::soft));
  paint.fill(area, t(Token::window), 6);
  draw_beginning(ui, area.inset(12, 8), app.files.left()->text);
  const std::string given = draw_answers(ui, foot, {{"recover", "Take it up", "Enter", true}, {"drop", "Drop it", ""}});
  if (!given.empty()) ui.act(given == "drop" ? "window recover drop" : "window recover");
}

}  // namespace trellis::gui
