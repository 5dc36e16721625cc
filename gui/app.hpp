#pragma once
// The explorer: what the user holds, a part each, and how a frame is made of them. It knows nothing of windows or
// OpenGL: input comes in as a value, triangles go out through Paint. So tests drive it without a display.

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "gui/export.hpp"
#include "gui/files.hpp"
#include "gui/lessons.hpp"
#include "gui/modal.hpp"
#include "gui/panes.hpp"
#include "gui/replays.hpp"
#include "gui/visited.hpp"

namespace trellis::gui {

class App {
 public:
  struct Start {
    session::Options options = {};
    std::function<void()> wake = [] {};
    std::string state_folder = {};  ///< where settings and autosaves lie; empty: nothing is kept
  };
  explicit App(Start start);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  /// A frame. `window` is all of it, in units.
  void frame(const Input& input, Paint& paint, Rect window);
  /// Something moves: draw again without waiting for input.
  bool wants_frame() const { return ui.animated() || replays.playing; }
  /// Nothing is under way.
  bool idle() const { return sides.idle() && !replays.waiting(); }
  std::string title();
  /// Settings and unsaved text, to disk.
  void keep();

  /// A file, or an example by its name. False: it cannot be read, which the console says.
  bool open(const std::string& path);
  /// Another program is open: nothing is left of what was looked at, replayed, compared or asked of the one before.
  void begin_anew();
  /// A command, as typed in the console: of the language, or `window …` (commands.hpp).
  void carry_out(const std::string& command);

  const Theme& theme() const { return gui::theme(settings.theme); }
  Document& document(char side = 'A') { return sides.document(side); }
  /// What views read.
  Scene scene(char side = 'A');
  /// What is looked at.
  Place place() const { return {panes.active(), selected.kernel_name(), replays.steps(), selected.pins()}; }

  // The parts; later ones hold on to earlier ones.
  Settings settings;
  Ui ui;
  Console console;
  Modal modal{ui};
  Notes notes{ui};
  Panes panes{settings, ui};
  Visited visited;
  Comparison sides;
  Selected selected{sides};
  Replays replays{sides, selected, console};
  Files files;
  Exports exports{sides.document(), notes};
  Lessons lessons;
  std::map<std::string, std::shared_ptr<const session::Reply>> replies;  ///< by command: the last "suggest"
  std::map<text::Stage, int> kin_count;                                  ///< of what is hovered, or else pinned
  bool leaving = false;

 private:
  void update();
  /// What says why an order is illegal comes first when it becomes so.
  void prefer_explanation(const Scene& shown);

  /// Now and then, since nobody says when a program is killed.
  void keep_settings(double now);

  std::string state_folder_;
  Settings kept_settings_;  ///< as they are on disk
  double settings_kept_at_ = 0;
  bool was_illegal_ = false;
};

}  // namespace trellis::gui
