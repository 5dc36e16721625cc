#include "gui/export.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "engine/tensor/file.hpp"
#include "gui/surface.hpp"
#include "gui/views/views.hpp"
#include "gui/words.hpp"

namespace trellis::gui {
namespace {

/// The stage that a pane draws, as `export dot` and `export json` name it; empty: none.
std::string stage_of(const View& view, std::string_view kind) {
  const std::string id = view.id;
  if (kind == "dot") return id == "graph" || id == "lattice" ? id : id == "c" || id == "stages" ? "flow" : "";
  const std::string twin = view.twin;
  return twin.starts_with("show ") ? twin.substr(5) : "";
}

/// ImGui's context is one for the process: pictures are drawn in others between two frames.
class KeepContext {
 public:
  KeepContext() : before_(ImGui::GetCurrentContext()) {}
  ~KeepContext() { ImGui::SetCurrentContext(before_); }
  KeepContext(const KeepContext&) = delete;
  KeepContext& operator=(const KeepContext&) = delete;

 private:
  ImGuiContext* before_;
};

bool write_png(App& app, const App::Picture& wanted, float width, float height) {
  Surface surface(wanted.scale);
  Input nothing;
  nothing.now = app.now();
  surface.draw(app, nothing, width, height);
  Pixels pixels = surface.picture();
  if (!wanted.pane.empty()) {
    const Rect area = app.area_of(wanted.pane);
    const auto scaled = [&](float v) { return static_cast<int>(std::lround(v * wanted.scale)); };
    pixels = pixels.part(scaled(area.x), scaled(area.y), scaled(area.w), scaled(area.h));
  }
  return pixels.write_png(wanted.path);
}

}  // namespace

const std::vector<ExportKind>& export_kinds() {
  static const std::vector<ExportKind> all = {{"png", "PNG", ".png", true},         {"svg", "SVG", ".svg", true},
                                              {"dot", "DOT", ".dot", true},         {"json", "JSON", ".json", true},
                                              {"text", "Text", ".txt", true},       {"tr", "Program", ".tr", false},
                                              {"report", "Report", ".html", false}, {"c", "C library", ".c", false}};
  return all;
}

const ExportKind* find_export(std::string_view name) {
  const auto found = std::ranges::find(export_kinds(), name, &ExportKind::name);
  return found == export_kinds().end() ? nullptr : &*found;
}

bool can_export(const ExportKind& kind, const View* view) {
  const std::string_view name = kind.name;
  if (!kind.of_pane || name == "png" || name == "svg") return true;
  if (!view) return false;
  return name == "text" ? *view->twin != '\0' : !stage_of(*view, name).empty();
}

std::string export_command(const ExportKind& kind, const View* view, const std::string& kernel,
                           const std::string& path) {
  if (!can_export(kind, view)) return "";
  const std::string name = kind.name, of = kernel.empty() || kernel == "main" ? "" : " " + kernel;
  if (name == "report") return "export report " + in_quotes(path);
  if (name == "c") return "export c" + of + " " + in_quotes(path);
  if (name == "text") return view->twin + (std::string_view(view->twin).starts_with("show ") ? of : "");
  return "export " + name + " " + stage_of(*view, name) + of + " " + in_quotes(path);
}

void make_pictures(App& app, Surface& surface, float width, float height) {
  for (const App::Picture& wanted : app.take_pictures()) {
    const KeepContext keep;
    const bool there = wanted.pane.empty() || !app.area_of(wanted.pane).empty();
    if (!there) {
      app.note("the pane " + wanted.pane + " is not to be seen", true);
      continue;
    }
    std::string problem;
    if (wanted.kind == App::Picture::Kind::png) {
      if (!write_png(app, wanted, width, height)) problem = "cannot write " + wanted.path;
    } else {
      problem = write_text(
          wanted.path,
          surface.svg(app, width, height, wanted.pane.empty() ? Rect{0, 0, width, height} : app.area_of(wanted.pane)));
    }
    app.note(problem.empty() ? "written " + wanted.path : problem, !problem.empty());
  }
}

std::string write_text(const std::string& path, std::string_view text) {
  tensor::AtomicFile file(path);
  file.write(text);
  const std::string why = file.commit();
  return why.empty() ? "" : "cannot write " + path + ": " + why;
}

std::string with_home(const std::string& path) {
  const char* home = std::getenv("HOME");
  return path.starts_with("~/") && home ? home + path.substr(1) : path;
}

}  // namespace trellis::gui
