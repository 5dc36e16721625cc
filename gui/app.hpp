#pragma once
// What the user holds: documents, layout, positions in replays, pins, settings; and how a frame is made of it. It knows
// nothing of windows or OpenGL: input comes in as a value, triangles go out through Paint. So tests drive it without a
// display.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/actions.hpp"
#include "gui/console.hpp"
#include "gui/document.hpp"
#include "gui/layout.hpp"
#include "gui/lessons.hpp"
#include "gui/scene.hpp"
#include "gui/settings.hpp"

namespace trellis::gui {

class App {
 public:
  struct Start {
    session::Options options = {};
    std::function<void()> wake = [] {};
    std::string state_folder = {};  ///< where settings and autosaves lie; empty: nothing is kept
  };
  /// A picture that was asked for: who draws the frames makes it.
  struct Picture {
    enum class Kind { png, svg } kind = Kind::png;
    std::string path;
    std::string pane;  ///< empty: the whole window
    float scale = 1;   ///< pixels a unit
  };
  explicit App(Start start);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  /// A frame. `window` is all of it, in units.
  void frame(const Input& input, Paint& paint, Rect window);
  Ui& ui() { return ui_; }
  const Theme& theme() const { return gui::theme(settings_.theme); }
  float scale() const { return settings_.scale; }
  /// Something moves: draw again without waiting for input.
  bool wants_frame() const { return ui_.animated() || playing_; }
  bool leaving() const { return leaving_; }
  std::string title() const;
  /// Settings and unsaved text, to disk.
  void keep();

  /// A file, or an example by its name. False: it cannot be read, which the console says.
  bool open(const std::string& path);
  /// A command, as typed in the console: of the language, or `window …`.
  void carry_out(const std::string& command);
  /// Nothing is under way.
  bool idle() const;

  // What bars and overlays reach for.
  Document& document(char side = 'A') { return side == 'B' && b_ ? *b_ : *a_; }
  bool has_b() const { return b_ != nullptr; }
  Console& console() { return console_; }
  Settings& settings() { return settings_; }
  Layout& layout() { return layouts_[settings_.preset]; }
  const std::string& active_pane() const { return active_pane_; }
  void activate(const std::string& pane) { active_pane_ = pane, ui_.focus_text(""); }
  const std::vector<std::string>& visible_panes() const { return visible_panes_; }
  Steps& steps(char side = 'A') { return side == 'B' ? steps_b_ : steps_; }
  Scene scene(char side = 'A');
  /// The pane that shows the same of the other side; empty: none is seen.
  std::string twin_of(const std::string& pane) const;
  /// Of a comparison: the side that is stepped, which the other follows.
  char stepped_side() const { return b_ ? stepped_side_ : 'A'; }
  const std::map<text::Stage, int>& kin_count() const { return kin_count_; }
  bool pinned() const { return !pins_.empty(); }
  bool playing() const { return playing_; }
  const std::string& overlay() const { return overlay_; }
  void open_overlay(std::string name);
  void close_overlay();
  /// It is drawn for the first time since it was opened.
  bool overlay_is_new() const { return overlay_ != overlay_drawn_; }
  /// What was asked for since the last call; who takes it draws it, and says with `noted` what came of it.
  std::vector<Picture> take_pictures() { return std::exchange(pictures_, {}); }
  /// A short word to the user, at the lower edge for some seconds, and in the console.
  void note(const std::string& words, bool failed = false);
  struct Note {
    std::string words;
    bool failed = false;
    double until = -1;  ///< seconds
  };
  const Note& last_note() const { return note_; }
  /// The text that was not saved when an explorer ended, while it has not been decided upon.
  const std::optional<Autosave>& left() const { return left_; }
  /// A pane that is being dragged by its tab; empty: none.
  const std::string& dragged_tab() const { return dragged_tab_; }
  void drag_tab(const std::string& pane) { dragged_tab_ = pane; }
  /// What the question about unsaved changes holds up: "open \"f.tr\"", "quit".
  const std::string& held_up() const { return held_up_; }
  double now() const { return now_; }
  /// Where a pane stands in the last frame, with its header; empty: nowhere.
  Rect area_of(const std::string& pane) const {
    const auto found = areas_.find(pane);
    return found == areas_.end() ? Rect{} : found->second;
  }
  Rect window() const { return window_; }
  /// How many steps a replay has: "execution", "placement", "lattice".
  std::size_t length_of(const std::string& replay, char side = 'A');

 private:
  void update();
  void carry_out_all();
  // app_frame.cpp: a frame
  void draw_panes(Rect area);
  void draw_stack(const Placed& placed, bool covered);
  void draw_splitters(const Arrangement& arrangement);
  void draw_docking(const Arrangement& arrangement);  // tabs.cpp
  void light_kin();
  // app_keys.cpp: chords of the window, focus, and the way back
  void take_keys();
  void visit();
  void navigate(bool forth);
  void bind(const std::string& words);
  // app_window.cpp: commands of the window; false: they are about something else
  void carry_out_window(const std::string& command);
  bool carry_out_layout(const std::string& what, const std::string& rest);
  bool carry_out_look(const std::string& what, const std::string& rest);
  void let_go();
  void pass_keys(int by);
  void step_side(char side);
  std::string roomiest() const;
  void compare();
  // app_commands.cpp: commands of the language
  bool edit_text(const std::string& command);
  void apply_fix(const std::string& command, int number);
  void hear(const session::Answer& answer);
  void tell_of_edit();
  // app_select.cpp: the selection, which is the session's
  bool carry_out_selection(const std::string& what, const std::string& rest);
  void pin(std::vector<text::NodeId> nodes);
  void select(const std::string& words);
  void follow_selection();
  // app_lessons.cpp
  void teach(const std::string& command, const std::string& rest);
  // find.cpp
  void open_find(const std::string& words);
  void draw_find();
  void draw_find_row(Rect row, bool edits);
  void draw_replace_row(Rect row);
  void select_found();
  // app_files.cpp: what is written, kept and asked before something is lost
  bool carry_out_file(const std::string& what, const std::string& rest);
  bool asks_first(const std::string& command);
  void go_on();
  void hear_of_files(const session::Answer& answer);
  void save(const std::string& path);
  void watch_file();
  void reload();
  void remember(const std::string& path);
  void recover(bool take);
  void keep_unsaved();
  void export_view(const std::string& words);
  // app_replay.cpp: positions in what is replayed
  bool carry_out_replay(const std::string& what, const std::string& rest);
  void step(const std::string& replay, std::ptrdiff_t by);
  void hear_replay(const std::string& replay, const std::string& what);
  void go_to(const std::string& replay, std::size_t step, char side);
  void go_to(const std::string& replay, std::size_t step) { go_to(replay, step, side_that_replays(replay)); }
  char side_that_replays(const std::string& replay) const { return replay == "execution" ? stepped_side() : 'A'; }
  void go_to_event(const std::string& replay, bool forth);
  void go_to_instance();
  void send_replay(const std::string& command);
  void follow_replays();
  void play();
  void pair_steps();
  void follow_leading_side();
  std::string active_replay();
  std::size_t& position(const std::string& replay, char side = 'A');

  Start start_;
  Settings settings_;
  Ui ui_;
  std::unique_ptr<Document> a_, b_;
  Console console_;
  Lessons lessons_;
  std::map<std::string, Layout> layouts_;  ///< by preset
  std::string active_pane_ = "program";
  std::vector<std::string> visible_panes_;
  std::map<std::string, Rect> areas_;
  std::string overlay_;        ///< "palette", "gallery", …; empty: none
  std::string overlay_drawn_;  ///< as it was in the last frame
  std::string field_before_;   ///< that had the text focus when it was opened
  /// What was looked at.
  struct Place {
    std::string pane, kernel;
    Steps steps;
    std::vector<text::NodeId> pins;
    bool operator==(const Place&) const = default;
  };
  Place place() const { return {active_pane_, kernel_, steps_, pins_}; }
  std::vector<Place> places_;
  std::size_t at_place_ = 0;  ///< in `places_`
  std::vector<Picture> pictures_;
  Note note_;
  std::string dragged_tab_;
  std::optional<Autosave> left_;
  std::string held_up_;
  std::map<std::uint64_t, std::string> texts_asked_,
      exports_asked_;  ///< request → file for its answer, or that it writes
  double kept_at_ = 0;
  std::uint64_t kept_revision_ = 0;  ///< of the editor, in the autosave
  Rect window_;
  double now_ = 0, played_at_ = 0, watched_at_ = 0;
  Steps steps_, steps_b_;
  char stepped_side_ = 'A';
  std::shared_ptr<const explore::Counterparts> counterparts_, counterparts_b_;  ///< null: nothing is compared
  std::string kernel_;  ///< that is looked at; empty: the program's own choice
  std::vector<text::NodeId> pins_;
  std::map<text::Stage, int> kin_count_;
  std::map<std::string, std::shared_ptr<const session::Reply>> replies_;
  bool predict_ = false, poisoned_ = false, playing_ = false, leaving_ = false;
  int passes_ = 0;
  std::uint64_t replay_request_ = 0;  ///< the last `goto` that the session was sent and has not answered
  std::string replay_waiting_;        ///< a newer one, sent when that is answered
  std::uint64_t seen_selection_ = 0;  ///< version of the snapshot whose selection was looked at last
  session::Selection selected_;       ///< as it was then
  std::shared_ptr<const session::Recorded> replayed_, replayed_b_;  ///< that the positions belong to
  std::shared_ptr<const session::DrawnView> drawn_, drawn_b_;       ///< likewise
  std::optional<std::int64_t> file_time_;                           ///< when the open file was last written
};

/// "c:12".
std::string name_of(const text::NodeId& node);
std::optional<text::NodeId> node_named(std::string_view name);

}  // namespace trellis::gui
