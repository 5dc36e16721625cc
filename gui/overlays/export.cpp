// What the active view, or the session, is written as, and where.
#include "gui/export.hpp"

#include <filesystem>

#include "gui/overlays/path.hpp"
#include "gui/overlays/sheet.hpp"
#include "gui/views/views.hpp"
#include "gui/words.hpp"

namespace trellis::gui {
namespace {

struct ExportKept {
  PathKept path;
  std::string kind = "png";
  int scale = 1;
};

/// Of the kind, in the folder that was used last.
std::string usual_path(App& app, const ExportKind& kind) {
  const std::filesystem::path name(app.document().name());
  const std::string stem = name.stem().string() + (kind.of_pane ? "-" + app.panes.active() : "");
  const std::string& folder = app.settings.folder;
  return (folder.empty() ? "" : folder + "/") + stem + kind.ending;
}

void choose(App& app, ExportKept& kept, const ExportKind& kind) {
  kept.kind = kind.name;
  begin_path(kept.path, usual_path(app, kind));
}

void draw_kinds(App& app, Ui& ui, Rect area, ExportKept& kept, bool of_pane, const View* view) {
  for (const ExportKind& kind : export_kinds()) {
    if (kind.of_pane != of_pane || !can_export(kind, view)) continue;
    const float width = ui.paint().width(kind.title, Font::text) + 28;
    if (ui.button(std::string("kind:") + kind.name, kind.title, area.take_left(width), false, kept.kind == kind.name))
      choose(app, kept, kind);
    area.take_left(6);
    if (kept.kind != "png" || std::string_view(kind.name) != "png") continue;
    for (const int scale : {1, 2}) {
      if (ui.button("scale:" + std::to_string(scale), "×" + std::to_string(scale), area.take_left(36), false,
                    kept.scale == scale))
        kept.scale = scale;
      area.take_left(4);
    }
    area.take_left(8);
  }
}

}  // namespace

void draw_export(App& app, Ui& ui, Rect window, const std::string& words) {
  auto& kept = ui.memory<ExportKept>("export");
  const View* view = find_view(app.panes.active());
  if (app.modal.is_new()) {
    const ExportKind* asked = find_export(words);
    choose(app, kept, asked && can_export(*asked, view) ? *asked : export_kinds().front());
  }
  Rect area =
      draw_sheet(app, ui, window, {.title = "Export", .subtitle = "Tab completes", .width = 640, .height = 480});
  Rect foot = area.take_bottom(58).inset(0, 13);
  draw_heading(ui, area.take_top(20), view ? std::string("This pane: ") + view->title : "This pane");
  draw_kinds(app, ui, area.take_top(30), kept, true, view);
  area.take_top(10);
  draw_heading(ui, area.take_top(20), "The whole session");
  draw_kinds(app, ui, area.take_top(30), kept, false, view);
  area.take_top(14);
  std::optional<std::string> path = draw_path(ui, area, kept.path, find_export(kept.kind)->ending, "a path");
  const std::string given =
      draw_answers(ui, foot, {{"export", "Export", "Ctrl+Enter", true}, {"cancel", "Cancel", ""}});
  if (given == "cancel") return app.modal.close();
  if (!given.empty()) path = kept.path.line.text();
  if (!path || path->empty() || path->ends_with('/')) return;
  app.modal.close();
  const std::string scale = kept.kind == "png" && kept.scale != 1 ? " " + std::to_string(kept.scale) : "";
  ui.act("window export " + kept.kind + " " + in_quotes(*path) +
         (find_export(kept.kind)->of_pane ? " " + app.panes.active() + scale : ""));
}

}  // namespace trellis::gui
