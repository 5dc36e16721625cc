#include "gui/settings.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/tensor/file.hpp"

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
  tensor::AtomicFile file(path.string());
  file.write(content.dump(1) + "\n");
  file.commit();  // where nothing can be kept, nothing is
}

template <class T>
void take(const json& from, const char* name, T& to) {
  try {
    if (from.contains(name)) to = from[name].get<T>();
  } catch (const json::exception&) {
    // Something else was written there: the default stays.
  }
}

constexpr std::string_view unsaved = "unsaved-", ending = ".json";

fs::path own_file(const std::string& folder) {
  return fs::path(folder) / (std::string(unsaved) + std::to_string(getpid()) + std::string(ending));
}

/// Whose autosave a file of that name is.
std::optional<pid_t> process_of(std::string_view name) {
  if (!name.starts_with(unsaved) || !name.ends_with(ending)) return std::nullopt;
  name.remove_prefix(unsaved.size()), name.remove_suffix(ending.size());
  pid_t process = 0;
  if (std::from_chars(name.data(), name.data() + name.size(), process).ec != std::errc{} || process <= 0)
    return std::nullopt;
  return process;
}

bool is_running(pid_t process) { return kill(process, 0) == 0 || errno == EPERM; }

}  // namespace

Settings load_settings(const std::string& folder) {
  Settings settings;
  if (folder.empty()) {
    settings.toured = true;  // where nothing is kept there is no first run
    return settings;
  }
  const auto content = read(fs::path(folder) / "explorer.json");
  if (!content) return settings;
  take(*content, "theme", settings.theme), take(*content, "scale", settings.scale),
      take(*content, "preset", settings.preset);
  take(*content, "reduced_motion", settings.reduced_motion), take(*content, "toured", settings.toured);
  take(*content, "backend", settings.backend), take(*content, "recent", settings.recent),
      take(*content, "folder", settings.folder), take(*content, "keys", settings.keys);
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
  write(fs::path(folder) / "explorer.json", {{"theme", settings.theme},
                                             {"scale", settings.scale},
                                             {"preset", settings.preset},
                                             {"reduced_motion", settings.reduced_motion},
                                             {"toured", settings.toured},
                                             {"backend", settings.backend},
                                             {"recent", settings.recent},
                                             {"folder", settings.folder},
                                             {"keys", settings.keys},
                                             {"layouts", layouts}});
}

std::string usual_state_folder() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state) return std::string(state) + "/trellis";
  if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.local/state/trellis";
  return "";
}

void autosave(const std::string& folder, const Autosave& what) {
  if (!folder.empty()) write(own_file(folder), {{"path", what.path}, {"text", what.text}});
}

void drop_autosave(const std::string& folder) {
  std::error_code ignored;
  if (!folder.empty()) fs::remove(own_file(folder), ignored);
}

std::optional<Autosave> left_behind(const std::string& folder) {
  std::error_code missing;
  if (folder.empty()) return std::nullopt;
  std::optional<Autosave> newest;
  fs::file_time_type when{};
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, missing)) {
    const auto process = process_of(entry.path().filename().string());
    if (!process || is_running(*process)) continue;
    const auto content = read(entry.path());
    const fs::file_time_type written = entry.last_write_time(missing);
    if (!content || (newest && written < when)) continue;
    when = written;
    newest.emplace();
    newest->file = entry.path().string();
    take(*content, "path", newest->path), take(*content, "text", newest->text);
  }
  return newest;
}

}  // namespace trellis::gui
