#include "gui/settings.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace trellis::gui {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::optional<json> read(const fs::path& path) {
  std::ifstream in(path);
  if (!in) return std::nullopt;
  json content = json::parse(in, nullptr, false);
  if (!content.is_object()) return std::nullopt;
  return content;
}

void write(const fs::path& path, const json& content) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  const fs::path aside = path.string() + ".new";
  if (std::ofstream out(aside); !(out << content.dump(1) << '\n')) return;
  fs::rename(aside, path, ignored);
}

template <class T>
void take(const json& from, const char* name, T& to) {
  try {
    if (from.contains(name)) to = from[name].get<T>();
  } catch (const json::exception&) {
    // Something else was written there: the default stays.
  }
}

}  // namespace

Settings load_settings(const std::string& folder) {
  Settings settings;
  if (folder.empty()) return settings;
  const auto content = read(fs::path(folder) / "explorer.json");
  if (!content) return settings;
  take(*content, "theme", settings.theme), take(*content, "scale", settings.scale), take(*content, "preset", settings.preset);
  take(*content, "reduced_motion", settings.reduced_motion), take(*content, "toured", settings.toured);
  take(*content, "backend", settings.backend), take(*content, "recent", settings.recent), take(*content, "keys", settings.keys);
  settings.scale = std::clamp(settings.scale, 0.5F, 4.F);
  if (content->contains("layouts") && (*content)["layouts"].is_object())
    for (const auto& [name, layout] : (*content)["layouts"].items())
      if (auto read_one = layout_from(layout)) settings.layouts[name] = std::move(*read_one);
  return settings;
}

void save_settings(const Settings& settings, const std::string& folder) {
  if (folder.empty()) return;
  json layouts = json::object();
  for (const auto& [name, layout] : settings.layouts) layouts[name] = to_json(layout);
  write(fs::path(folder) / "explorer.json",
        {{"theme", settings.theme}, {"scale", settings.scale}, {"preset", settings.preset}, {"reduced_motion", settings.reduced_motion},
         {"toured", settings.toured}, {"backend", settings.backend}, {"recent", settings.recent}, {"keys", settings.keys}, {"layouts", layouts}});
}

std::string usual_state_folder() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state) return std::string(state) + "/trellis";
  if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.local/state/trellis";
  return "";
}

void autosave(const std::string& folder, const Autosave& what) {
  if (!folder.empty()) write(fs::path(folder) / "unsaved.json", {{"path", what.path}, {"text", what.text}});
}

void drop_autosave(const std::string& folder) {
  std::error_code ignored;
  if (!folder.empty()) fs::remove(fs::path(folder) / "unsaved.json", ignored);
}

std::optional<Autosave> left_behind(const std::string& folder) {
  if (folder.empty()) return std::nullopt;
  const auto content = read(fs::path(folder) / "unsaved.json");
  if (!content) return std::nullopt;
  Autosave what;
  take(*content, "path", what.path), take(*content, "text", what.text);
  return what;
}

}  // namespace trellis::gui
