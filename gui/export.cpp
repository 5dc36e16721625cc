#include "gui/export.hpp"

#include <algorithm>
#include <cstdlib>

#include "engine/tensor/file.hpp"
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

void Exports::write_program(const std::string& path) {
  const std::string problem = write_text(path, document_.editor().text());
  notes_.say(problem.empty() ? "written " + path : problem, !problem.empty());
}

void Exports::ask(const std::string& command, const std::string& path, bool in_words) {
  asked_[document_.enter(command)] = {path, in_words};
}

void Exports::hear(const session::Answer& answer) {
  const auto asked = asked_.find(answer.version);
  if (asked == asked_.end()) return;
  const auto& [path, in_words] = asked->second;
  std::string problem;
  if (answer.exit != session::Exit::success) problem = (in_words ? "nothing to write: " : "") + answer.messages;
  else if (in_words) problem = write_text(path, answer.output);
  // A refusal without a word is one all the same.
  const bool well = answer.exit == session::Exit::success && problem.empty();
  notes_.say(well ? "written " + path : problem, !well);
  asked_.erase(asked);
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
