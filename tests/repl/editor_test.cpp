// The line editor in terminals of any size.
#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>
#include <string>
#include <thread>

#include "tests/repl/typist.hpp"

namespace trellis::testing {
namespace {

const std::string four_lines = "tensor x(3)\ntensor y(3)\ny(i) = x(i) +\n  1 : 0 <= i\n";
const std::string pasted = "\x1b[200~" + four_lines + "\x1b[201~";

void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(15)); }

Typist::Desk desk(int rows, int columns) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("trellis-editor-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  Typist::Desk desk;
  desk.folder = folder.string();
  desk.rows = rows;
  desk.columns = columns;
  return desk;
}

TEST_CASE("an entry of several lines outlives a window of two rows") {
  Typist typist({}, desk(40, 120));
  REQUIRE(typist.waits_for_prompt());
  typist.type(pasted);
  REQUIRE(typist.sees("1 : 0 <= i"));
  typist.resize(2, 80);
  pause();
  typist.type("\x15\r");
  pause();
  typist.resize(40, 120);
  typist.type("\x03");
  typist.type("quit\r");
  CHECK(typist.ends() == 0);
}

TEST_CASE("a line is read where there is no room to edit one") {
  Typist typist({}, desk(2, 80));
  typist.type("tensor x(3)\r");
  typist.type("print x\r");
  const auto is_printed = [](const std::string& line) { return line.ends_with("x = [0 0 0]"); };
  CHECK(typist.waits_until([&](const Screen& screen) { return std::ranges::any_of(screen.lines(), is_printed); }));
  typist.type("quit\r");
  CHECK(typist.ends() == 0);
}

TEST_CASE("entries are typed while the window takes any size") {
  Typist typist({}, desk(30, 100));
  REQUIRE(typist.waits_for_prompt());
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  for (int round = 0; round < 60; ++round) {
    const std::string keys[] = {pasted, "\x1b[A", "\x1b[B", "\x01", "\x05", "x(i) ", "\x7f", "\x15"};
    typist.type(keys[below(8)]);
    typist.resize(1 + below(round % 2 == 0 ? 6 : 50), 1 + below(round % 3 == 0 ? 12 : 130));
    pause();
  }
  typist.resize(30, 100);
  typist.type("\x03");
  pause();
  typist.type("quit\r");
  CHECK(typist.ends() == 0);
}

}  // namespace
}  // namespace trellis::testing
