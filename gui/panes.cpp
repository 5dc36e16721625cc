#include "gui/panes.hpp"

#include <algorithm>

namespace trellis::gui {

Panes::Panes(Settings& settings, Ui& ui) : settings_(settings), ui_(ui) {
  for (const Preset& preset : presets()) {
    const auto kept = settings_.layouts.find(preset.name);
    layouts_[preset.name] = kept == settings_.layouts.end() ? preset.layout : kept->second;
  }
  if (!layouts_.contains(settings_.preset)) settings_.preset = "illegal";
}

bool Panes::choose(const std::string& preset) {
  if (!layouts_.contains(preset)) return false;
  settings_.preset = preset;
  return true;
}

void Panes::reset() {
  for (const Preset& preset : presets())
    if (settings_.preset == preset.name) layout() = preset.layout;
}

void Panes::keep() {
  settings_.layouts.clear();
  for (const Preset& preset : presets())
    if (layouts_[preset.name] != preset.layout) settings_.layouts[preset.name] = layouts_[preset.name];
}

void Panes::bring(const std::string& pane, const std::string& neighbour) {
  show(layout(), pane, neighbour);
  prefer(pane);
  active_ = pane;
}

void Panes::prefer(const std::string& pane) {
  std::erase(preferred_, pane);
  preferred_.insert(preferred_.begin(), pane);
}

void Panes::arranged(const Arrangement& arrangement) {
  visible_.clear();
  areas_.clear();
  for (const Placed& stack : arrangement.stacks) {
    if (stack.tabs.empty()) continue;
    visible_.push_back(stack.tabs[stack.active]);
    areas_[visible_.back()] = stack.area;
  }
  if (!sees(active_) && !visible_.empty()) active_ = visible_.front();
}

bool Panes::sees(std::string_view pane) const { return std::ranges::find(visible_, pane) != visible_.end(); }

Rect Panes::area_of(const std::string& pane) const {
  const auto found = areas_.find(pane);
  return found == areas_.end() ? Rect{} : found->second;
}

std::string Panes::roomiest() const {
  std::string best;
  float most = 0;
  for (const auto& [pane, area] : areas_)
    if (pane != "program" && area.w * area.h > most) best = pane, most = area.w * area.h;
  return best;
}

std::string Panes::twin_of(const std::string& pane) const {
  const std::string twin = pane.ends_with(":B") ? pane.substr(0, pane.size() - 2) : pane + ":B";
  return sees(twin) ? twin : "";
}

void Panes::pass_keys(int by) {
  const auto count = static_cast<std::ptrdiff_t>(visible_.size());
  if (count == 0) return;
  const std::ptrdiff_t now = std::ranges::find(visible_, active_) - visible_.begin();
  activate(visible_[static_cast<std::size_t>((now + by + count) % count)]);
  ui_.focus("");
}

}  // namespace trellis::gui
