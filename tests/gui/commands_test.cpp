// The table of what the window can do.
#include <doctest/doctest.h>

#include <set>

#include "engine/session/command/commands.hpp"
#include "gui/script.hpp"
#include "gui/shortcuts.hpp"
#include "gui/words.hpp"

namespace trellis::gui {

TEST_CASE("commands: ids, texts and chords name one row each, and a chord is in its usual spelling") {
  std::set<std::string> ids, chords, done;
  for (const Command& one : commands()) {
    CAPTURE(one.text);
    CHECK(*one.text);
    CHECK((!*one.id == !*one.title));
    CHECK((!*one.id == !*one.group));
    if (*one.id) CHECK(ids.insert(one.id).second);
    if (*one.chord) CHECK(chords.insert(one.chord).second);
    if (one.does) CHECK(done.insert(one.text).second);
    CHECK(chord_from(one.chord) == one.chord);
  }
}

TEST_CASE("commands: somebody does each of them, the window or the language") {
  for (const Command& one : commands()) {
    CAPTURE(one.text);
    const Command* who = command_for(one.text);
    if (one.does) CHECK(who == &one);
    else if (!who) CHECK(session::find_command(split_word(one.text).first));
  }
}

TEST_CASE("commands: the row with the most words does it, and words are whole") {
  CHECK(command_for("window scale up") == &action("larger"));
  CHECK(std::string(command_for("window scale upwards")->text) == "window scale");
  CHECK(command_for("window steps") == nullptr);
  CHECK(command_for("window last pane") == &action("last pane"));
  CHECK(command_for("window last lattice") == &action("last"));
  CHECK(command_for("order i j") == nullptr);
}

TEST_CASE("commands: what cannot be done now says why, or does nothing") {
  Script s({}, {1280, 800, 1});
  REQUIRE(s.run("open cholesky\ncommand window navigate forth\n") == "");
  CHECK(s.app().notes.last().words == "nothing was looked at after this");
  const Steps before = s.app().replays.steps();
  REQUIRE(s.run("command window instance\n") == "");
  CHECK(s.app().replays.steps() == before);
  REQUIRE(s.app().panes.visible().size() > 1);
  for (std::size_t left = 20; left > 0; --left) REQUIRE(s.run("command window close\n") == "");
  CHECK(s.app().panes.visible().size() == 1);
}

}  // namespace trellis::gui
