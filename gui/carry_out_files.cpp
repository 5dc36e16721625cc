// What is written to disk and read from it; and what is asked before something is lost.
#include <filesystem>

#include "gui/app.hpp"
#include "gui/carry_out.hpp"
#include "gui/views/views.hpp"
#include "gui/words.hpp"

namespace trellis::gui::doing {
namespace {

/// True: what is open has changes; the command waits for an answer.
bool asks_first(App& app, const std::string& command) {
  if (!app.files.would_lose()) return false;
  app.modal.ask("unsaved", command);
  return true;
}

/// What waited for the answer is carried out.
void go_on(App& app) {
  const std::string command = app.modal.held_up();
  app.modal.close();
  if (!command.empty()) app.carry_out("window " + command);
}

void save_at(App& app, const std::string& path) {
  const std::string problem = app.files.save(path);
  app.notes.say(problem.empty() ? "saved " + path : problem, !problem.empty());
  if (problem.empty()) go_on(app);
}

}  // namespace

void save(App& app, const Said& said) {
  const std::string path = said.rest.empty() ? app.document().path() : with_home(unquoted(said.rest));
  if (path.empty()) app.modal.open("save");
  else save_at(app, path);
}

void save_as(App& app, const Said&) { app.modal.open("save"); }

void open(App& app, const Said& said) {
  if (said.rest.empty()) return app.modal.open("open");
  if (!asks_first(app, "open " + said.rest) && app.open(with_home(unquoted(said.rest)))) app.modal.close();
}

void new_program(App& app, const Said&) {
  if (asks_first(app, "new")) return;
  app.document().open("", "");
  app.lessons.leave();
  app.begin_anew();
  app.modal.close();
}

void quit(App& app, const Said&) {
  if (!asks_first(app, "quit")) app.leaving = true;
}

void drop(App& app, const Said&) {
  app.document().saved(app.document().path());
  go_on(app);
}

void stay(App& app, const Said&) { app.modal.close(); }

void recover(App& app, const Said& said) {
  if (app.files.left()) app.modal.close();
  app.files.recover(said.rest != "drop");
}

void reload(App& app, const Said&) { app.files.reload(); }

void open_modal(App& app, const Said& said) { app.modal.open(split_word(said.whole).second); }

void export_view(App& app, const Said& said) {
  if (said.rest.empty()) return open_modal(app, said);
  const auto [kind, behind] = split_word(said.rest);
  const auto [name, last] = split_word(behind);
  const ExportKind* known = find_export(kind);
  if (!known) return app.console.say(said.whole, "exports: png svg dot json text tr report c", true);
  if (name.empty()) return app.modal.open("export " + kind);
  auto [pane, scale] = split_word(last);
  if (pane.size() == 1 && pane[0] >= '1' && pane[0] <= '4') scale = std::exchange(pane, {});
  if (pane.empty()) pane = app.panes.active();
  const std::string path = std::filesystem::absolute(with_home(name)).lexically_normal().string();
  app.settings.folder = std::filesystem::path(path).parent_path().string();
  app.console.say(said.whole, "");
  if (kind == "png" || kind == "svg")
    return app.exports.ask_for({kind == "png" ? Picture::Kind::png : Picture::Kind::svg, path,
                                pane == "window" ? "" : pane,
                                scale.empty() ? 1.F : static_cast<float>(scale[0] - '0')});
  if (kind == "tr") return app.exports.write_program(path);
  const session::KernelView* kernel = app.selected.kernel(pane.ends_with(":B") ? 'B' : 'A');
  const View* view = pane == "window" ? nullptr : find_view(pane);
  const std::string command = export_command(*known, view, kernel ? kernel->name : "", path);
  if (command.empty()) return app.notes.say("this pane has no " + kind, true);
  app.exports.ask(command, path, kind == "text");
}

}  // namespace trellis::gui::doing
