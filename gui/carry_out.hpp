#pragma once
// What the commands of the window do, a function each; commands.hpp says which is which.

#include <string>

namespace trellis::gui {

class App;
class Panes;

/// A command as it was given.
struct Said {
  std::string whole;  ///< "window scale 1.25"
  std::string rest;   ///< behind the words that name the command: "1.25"
};

/// What a command about a replay is about where it names none: that of the active pane, else of what stands in the
/// window.
std::string active_replay(const Panes& panes);

/// To the session, or into the program's text: what is not the window's own.
void say_to_session(App& app, const std::string& command);

namespace doing {

// Files, and what is asked before something is lost (carry_out_files.cpp).
void save(App& app, const Said& said);
void save_as(App& app, const Said& said);
void open(App& app, const Said& said);
void new_program(App& app, const Said& said);
void quit(App& app, const Said& said);
void drop(App& app, const Said& said);
void stay(App& app, const Said& said);
void recover(App& app, const Said& said);
void reload(App& app, const Said& said);
/// `png "x.png" [PANE] [2]`, and the same for svg, dot, json, text, tr, report, c.
void export_view(App& app, const Said& said);
/// The palette, a question, and whatever else lies above the panes.
void open_modal(App& app, const Said& said);

// Panes, the keys' focus and the two sides (carry_out_panes.cpp).
void pane(App& app, const Said& said);
void close(App& app, const Said& said);
const char* not_closed(App& app);
void dock(App& app, const Said& said);
void preset(App& app, const Said& said);
void reset_layout(App& app, const Said& said);
void compare(App& app, const Said& said);
void lead(App& app, const Said& said);
void next_pane(App& app, const Said& said);
void last_pane(App& app, const Said& said);
void to_console(App& app, const Said& said);
void next_pass(App& app, const Said& said);
void last_pass(App& app, const Said& said);
void let_go(App& app, const Said& said);
void navigate_back(App& app, const Said& said);
void navigate_forth(App& app, const Said& said);
const char* nothing_before(App& app);
const char* nothing_after(App& app);

// How things look, and what is looked at (carry_out_look.cpp).
void theme(App& app, const Said& said);
void next_theme(App& app, const Said& said);
void scale(App& app, const Said& said);
void larger(App& app, const Said& said);
void smaller(App& app, const Said& said);
void motion(App& app, const Said& said);
void backend(App& app, const Said& said);
void find(App& app, const Said& said);
/// `bind "next pane" Ctrl+N`, `bind "next pane"` for the usual chord, `bind` for all of them.
void bind(App& app, const Said& said);
void kernel(App& app, const Said& said);
void pin(App& app, const Said& said);
void unpin(App& app, const Said& said);
void select(App& app, const Said& said);
void preview(App& app, const Said& said);

// What is replayed; the rest may name it (carry_out_replays.cpp).
void step(App& app, const Said& said);
void back(App& app, const Said& said);
void first(App& app, const Said& said);
void last(App& app, const Said& said);
void go_to(App& app, const Said& said);
void next_event(App& app, const Said& said);
void last_event(App& app, const Said& said);
void instance(App& app, const Said& said);
const char* no_instance(App& app);
void play(App& app, const Said& said);
void poisoned(App& app, const Said& said);
void predict(App& app, const Said& said);

// The text and the session (carry_out_text.cpp).
void undo(App& app, const Said& said);
void redo(App& app, const Said& said);
void fix(App& app, const Said& said);
void teach(App& app, const Said& said);
/// Asked from anywhere, the question stands in its pane.
void quiz(App& app, const Said& said);
void clear(App& app, const Said& said);
void source(App& app, const Said& said);
void cancel(App& app, const Said& said);
/// What a pane wants to know is no action of the user's: it is not echoed.
void ask(App& app, const Said& said);

}  // namespace doing
}  // namespace trellis::gui
