#pragma once
// A window without a display, moved by a script: for pictures, tests and demonstrations. Acts and expects by the ids of
// items.
//
//   open cholesky              command order j i k        click slot:2           drag loop:i slot:2
//   hold loop:i slot:2         the same without letting go: what is seen while dragging; `release` lets go
//   key Ctrl+P                 type "why i k j"           hover node:3           wheel graph 2
//   wait                       until nothing is under way (every line waits, but for `nowait`)
//   size 1280 800              theme light                screenshot out.png [PANE]
//   sheet out.png learn tune   what these layouts show, side by side
//   expect verdict legal       an item whose state or label holds the word
//   expect not slot:2          no such item
//   agree                      a window shows what a picture without one shows

#include <functional>
#include <string>
#include <vector>

#include "gui/surface.hpp"

namespace trellis::gui {

struct Stage {
  float width = 1600, height = 1000, scale = 1;
};

class Script {
 public:
  /// Seconds that a program may take until nothing moves any more; instrumented it takes ten times as long.
#ifdef __SANITIZE_ADDRESS__
  static constexpr int patience = 120;
#else
  static constexpr int patience = 20;
#endif

  Script(App::Start start, Stage stage);

  App& app() { return app_; }
  Surface& surface() { return *surface_; }
  const Stage& stage() const { return stage_; }
  /// Empty: it went well. Otherwise what is wrong.
  std::string run_line(const std::string& line);
  /// The first problem with its line, or empty.
  std::string run(const std::string& text);

  // The same as a script's lines, for tests.
  void frame(Input input = {});
  /// Frames until nothing is under way. False: that took more than `seconds`.
  bool run_until_idle(int seconds = patience);
  bool click(const std::string& id, bool twice = false);
  bool hover(const std::string& id);
  bool drag(const std::string& from, const std::string& to);
  bool hold(const std::string& from, const std::string& to);
  void release();
  void key(const std::string& chord);
  void type(const std::string& text);
  const Item* find(const std::string& id) const;
  Point mouse() const { return mouse_; }
  void move_mouse(Point to) { mouse_ = to; }
  Pixels picture() const { return read_pixels ? read_pixels() : surface_->picture(); }
  bool screenshot(const std::string& path, const std::string& pane = {});
  /// The window in each of these layouts, in one picture.
  bool sheet(const std::string& path, const std::vector<std::string>& presets);
  /// Each item on a line, by pane: `graph  node:3  V(i,j)  [result]`.
  std::string outline() const;
  /// Called with each frame, as by a window that shows it.
  std::function<void(const ImDrawData&)> present = {};
  /// Where pictures come from; empty: from the surface.
  std::function<Pixels()> read_pixels = {};
  int actions() const { return actions_; }  ///< by mouse and keys, so far

 private:
  Stage stage_;
  App app_;
  std::unique_ptr<Surface> surface_;
  Point mouse_{-1, -1};
  double now_ = 0;
  bool holding_ = false;  ///< the button is down
  int actions_ = 0;
};

}  // namespace trellis::gui
