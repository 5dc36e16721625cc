#pragma once
// What is kept between runs: theme, scale, preset, layouts, keys, recent files, whether the tour was seen; and texts
// that were not saved. A file of JSON in the state folder, written aside and renamed, so that a crash never leaves half
// of it.

#include <map>
#include <string>
#include <vector>

#include "gui/layout.hpp"

namespace trellis::gui {

struct Settings {
  std::string theme = "dark";
  float scale = 1;
  std::string preset = "illegal";
  bool reduced_motion = false;
  bool toured = false;
  std::string backend;                      ///< "jit" or "native"; empty: nobody has chosen
  std::vector<std::string> recent;          ///< files, the last one first
  std::string folder;                       ///< that was exported to last
  std::map<std::string, std::string> keys;  ///< action → chord, where it is not the usual one
  std::map<std::string, Layout> layouts;    ///< by preset, where they were changed
  bool operator==(const Settings&) const = default;

  /// What programs run on and are timed on: unless somebody has chosen, `jit`, but `native` where one measures.
  std::string backend_in_force() const { return backend.empty() ? preset == "tune" ? "native" : "jit" : backend; }
};

/// Defaults where the file is missing or says something else.
Settings load_settings(const std::string& folder);
void save_settings(const Settings& settings, const std::string& folder);

/// $XDG_STATE_HOME/trellis, else ~/.local/state/trellis.
std::string usual_state_folder();

/// A text that was not saved when the program ended, however it ended. Each process has a file of its own.
struct Autosave {
  std::string path, text;
  std::string file = {};  ///< that it was read from
};
/// Of this process; a later one takes its place.
void autosave(const std::string& folder, const Autosave& what);
void drop_autosave(const std::string& folder);
/// The newest that a process which has ended left there.
std::optional<Autosave> left_behind(const std::string& folder);

}  // namespace trellis::gui
