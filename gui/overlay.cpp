#include "gui/overlay.hpp"

#include "gui/overlays/sheet.hpp"

namespace trellis::gui {
namespace {

struct Overlay {
  const char* name;
  void (*draw)(App&, Ui&, Rect, const std::string&);
  /// Has a field that typing goes to from the beginning.
  const char* field = nullptr;
};
constexpr Overlay overlays[] = {{"palette", draw_palette, "query"},
                                {"gallery", draw_gallery, "query"},
                                {"open", draw_gallery, "path"},
                                {"save", draw_save, "path"},
                                {"unsaved", draw_unsaved},
                                {"recover", draw_recover},
                                {"export", draw_export, "path"},
                                {"help", draw_help},
                                {"keys", draw_keys},
                                {"tour", draw_tour}};

}  // namespace

void draw_overlay(App& app, Ui& ui, Rect window) {
  draw_note(app, ui, window);
  const std::string whole = app.modal.name();
  const std::size_t blank = std::min(whole.find(' '), whole.size());
  for (const Overlay& overlay : overlays) {
    if (whole.substr(0, blank) != overlay.name) continue;
    if (overlay.field && !ui.text_field().starts_with("overlay/")) focus_field(ui, overlay.field);
    overlay.draw(app, ui, window, blank < whole.size() ? whole.substr(blank + 1) : "");
  }
}

}  // namespace trellis::gui
