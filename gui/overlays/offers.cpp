#include "gui/overlays/offers.hpp"

#include <algorithm>
#include <filesystem>

#include "engine/session/command/commands.hpp"
#include "engine/session/program/documents.hpp"
#include "gui/fuzzy.hpp"
#include "gui/order_words.hpp"
#include "gui/shortcuts.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

void offer_window(App& app, std::vector<Offer>& all) {
  const Settings& settings = app.settings;
  for (const Preset& preset : presets()) {
    const std::string id = preset.name;
    all.push_back({"layout",
                   preset.title,
                   "layout",
                   "window preset " + id,
                   chord_of(action("preset " + id), settings),
                   Icon::pane,
                   {},
                   settings.preset == id});
  }
  all.push_back({"layout", "Put the layout back as it was", "layout", "window reset layout", "", Icon::pane});
  for (const View& view : views())
    all.push_back({"pane", view.title, "pane", std::string("window pane ") + view.id, "", Icon::pane});
  for (const Theme& theme : themes())
    all.push_back({"theme",
                   theme.name,
                   "theme",
                   "window theme " + theme.name,
                   "",
                   Icon::theme,
                   {},
                   settings.theme == theme.name});
  for (const char* backend : {"jit", "native"})
    all.push_back({"setting",
                   std::string("Run with ") + backend,
                   "setting",
                   std::string("window backend ") + backend,
                   "",
                   Icon::gear,
                   {},
                   settings.backend == backend});
  for (const char* scale : {"0.8", "1", "1.25", "1.5", "2"})
    all.push_back(
        {"setting", std::string("Scale ") + scale, "setting", std::string("window scale ") + scale, "", Icon::gear});
}

void offer_actions(App& app, std::vector<Offer>& all) {
  for (const Command& action : commands()) {
    const std::string_view id = action.id;
    const bool layout = id.starts_with("preset ") || id == "reset layout";
    if (id.empty() || layout || id == "palette") continue;  // only words, offered as what they are, or here already
    all.push_back({"action", action.title, action.group, action.text, chord_of(action, app.settings), Icon::prompt});
  }
}

void offer_program(App& app, std::vector<Offer>& all) {
  const Scene scene = app.scene();
  for (const session::KernelView& kernel : scene.snapshot->kernels)
    all.push_back({"kernel",
                   kernel.name,
                   "kernel",
                   "window kernel " + kernel.name,
                   "",
                   Icon::kernel,
                   {},
                   scene.kernel && scene.kernel->name == kernel.name});
  if (const session::ExplainedView* explained = scene.explained())
    for (const explore::Verdict& verdict : explained->orders.orders) {
      std::string detail = verdict.legal ? "order" : verdict.reason;
      if (scene.predict) detail = "order";
      const std::string order = "order " + lang::to_string(verdict.order);
      all.push_back({"order", order, detail, order, "", Icon::order, icon_of(scene, verdict.legal),
                     verdict.order == explained->in_force});
    }
  for (const auto& [name, tensor] : scene.snapshot->tensors)
    all.push_back({"tensor", name, "print it in the console", "print " + name, "", Icon::tensor});
}

void offer_files(App& app, std::vector<Offer>& all) {
  for (const std::string& file : app.settings.recent) {
    const std::filesystem::path path(file);
    all.push_back({"recent", path.filename().string(), path.parent_path().string(), "window open \"" + file + "\"", "",
                   Icon::clock});
  }
  for (const session::Example& example : session::example_programs)
    all.push_back({"example", std::string(example.name), std::string(example.summary()),
                   "window open " + std::string(example.name), "", Icon::file});
}

void offer_commands(std::vector<Offer>& all) {
  for (const session::CommandInfo& command : session::commands())
    all.push_back({.group = "command",
                   .label = std::string(command.usage),
                   .detail = std::string(command.summary),
                   .command = std::string(command.name),
                   .icon = Icon::prompt,
                   .types = std::string(command.name) + " "});
}

}  // namespace

std::vector<Offer> offers_of(App& app) {
  std::vector<Offer> all;
  offer_actions(app, all), offer_program(app, all), offer_window(app, all), offer_commands(all), offer_files(app, all);
  return all;
}

std::vector<Ranked> ranked(const std::vector<Offer>& offers, const std::string& group, const std::string& query) {
  std::vector<std::pair<int, Ranked>> found;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const Offer& offer = offers[i];
    if (!group.empty() && offer.group != group) continue;
    if (const auto label = fit(query, offer.label)) {
      found.push_back({label->score, {i, label->at}});
    } else if (const auto whole = fit(query, offer.group + " " + offer.label); whole && query.size() > 1) {
      Ranked one{i, {}};
      for (const std::uint32_t at : whole->at)
        if (at > offer.group.size()) one.lit.push_back(at - static_cast<std::uint32_t>(offer.group.size()) - 1);
      found.push_back({whole->score - 20, one});
    } else if (query.size() > 2 && offer.detail.find(query) != std::string::npos) {
      found.push_back({-1000, {i, {}}});
    }
  }
  if (query.find_first_not_of(' ') != std::string::npos)
    std::ranges::stable_sort(found, std::greater{}, [](const auto& one) { return one.first; });
  std::vector<Ranked> out;
  for (auto& [score, one] : found) out.push_back(std::move(one));
  return out;
}

}  // namespace trellis::gui
