#pragma once
// What a view, or the session, can be written as.

#include <string>
#include <string_view>
#include <vector>

#include "gui/app.hpp"

namespace trellis::gui {

struct View;
class Surface;

struct ExportKind {
  const char* name;    ///< "png": as in `window export png`
  const char* title;   ///< "Picture"
  const char* ending;  ///< ".png"
  bool of_pane;        ///< else of the session
};
const std::vector<ExportKind>& export_kinds();
const ExportKind* find_export(std::string_view name);
/// Whether the pane can be written so.
bool can_export(const ExportKind& kind, const View* view);
/// The session's command that writes it to the path, or that says it in words; empty: there is none.
std::string export_command(const ExportKind& kind, const View* view, const std::string& kernel,
                           const std::string& path);

/// Draws what was asked for since the last call, and notes what came of it; `surface` has drawn the app's last frame of
/// that size.
void make_pictures(App& app, Surface& surface, float width, float height);

/// Empty: it went well; otherwise what is wrong, and the file is as it was.
std::string write_text(const std::string& path, std::string_view text);
/// `~/` is the home folder.
std::string with_home(const std::string& path);

}  // namespace trellis::gui
