// How things look, and what is looked at.
#include <algorithm>
#include <charconv>

#include "gui/app.hpp"
#include "gui/carry_out.hpp"
#include "gui/find.hpp"

namespace trellis::gui::doing {
namespace {

void set_scale(App& app, float wanted) { app.settings.scale = std::clamp(wanted, 0.5F, 4.F); }

}  // namespace

void theme(App& app, const Said& said) {
  if (std::ranges::find(themes(), said.rest, &Theme::name) != themes().end()) app.settings.theme = said.rest;
  else app.console.say(said.whole, "themes: dark light contrast dark-safe light-safe", true);
}

void next_theme(App& app, const Said&) {
  const auto& all = themes();
  const auto now = std::ranges::find(all, app.settings.theme, &Theme::name);
  app.settings.theme = (now == all.end() || now + 1 == all.end() ? all.front() : *(now + 1)).name;
}

void scale(App& app, const Said& said) {
  float wanted = app.settings.scale;
  std::from_chars(said.rest.data(), said.rest.data() + said.rest.size(), wanted);
  set_scale(app, wanted);
}

void larger(App& app, const Said&) { set_scale(app, app.settings.scale * 1.1F); }
void smaller(App& app, const Said&) { set_scale(app, app.settings.scale / 1.1F); }
void motion(App& app, const Said&) { app.settings.reduced_motion = !app.settings.reduced_motion; }
void backend(App& app, const Said& said) { app.settings.backend = said.rest == "native" ? "native" : "jit"; }
void find(App& app, const Said& said) { open_find(app, said.rest); }

void kernel(App& app, const Said& said) {
  app.selected.look_at(said.rest);
  if (app.sides.on() && !app.document('B').snapshot().kernel(said.rest))
    app.console.say(said.whole, "side B has no such kernel", true);
}

void pin(App& app, const Said& said) {
  const auto node = node_named(said.rest);
  if (!node) return app.console.say(said.whole, "a node is written as its stage and its number: c:12", true);
  const bool was = std::ranges::find(app.selected.pins(), *node) != app.selected.pins().end();
  app.selected.pin(was ? std::vector<text::NodeId>{} : std::vector{*node});
}

void unpin(App& app, const Said&) { app.selected.pin({}); }

void select(App& app, const Said& said) {
  if (!app.selected.select(said.rest))
    app.console.say(said.whole, "what: element TENSOR INDICES, position TENSOR LEVEL PLACE, nothing", true);
}

void preview(App& app, const Said& said) {
  const session::KernelView* kernel = app.selected.kernel();
  const bool named = said.rest.empty() || !kernel || kernel->name == "main" || said.rest.find(':') != std::string::npos;
  app.document().preview(named ? said.rest : kernel->name + ": " + said.rest);
}

}  // namespace trellis::gui::doing
