// What a user comes to do, by mouse and again by keyboard alone: tasks/NAME.mouse and tasks/NAME.keys.
#include <doctest/doctest.h>

#include <filesystem>

#include "gui/script.hpp"
#include "tests/folder.hpp"
#include "tests/programs.hpp"

namespace trellis::gui {
namespace {

/// `FOLDER` stands for one that is empty.
void carry_out(const std::filesystem::path& path, const std::vector<std::string>& forbidden) {
  CAPTURE(path.filename().string());
  const testing::Folder folder;
  std::string text = testing::read(path);
  for (std::size_t at = text.find("FOLDER"); at != std::string::npos; at = text.find("FOLDER"))
    text.replace(at, 6, folder.path().string());
  for (const std::string& action : forbidden) CHECK(("\n" + text).find("\n" + action + " ") == std::string::npos);
  Script script({}, {1600, 1000, 1});
  REQUIRE(script.run_until_idle());
  CHECK(script.run(text) == "");
  CHECK(script.actions() > 0);
  CHECK(script.actions() <= 20);
}

}  // namespace

TEST_CASE("tasks: each is done by mouse in less than twenty actions") {
  CHECK(testing::files_of("tests/gui/tasks", ".mouse").size() == 25);
  for (const std::filesystem::path& path : testing::files_of("tests/gui/tasks", ".mouse")) carry_out(path, {"key"});
}

TEST_CASE("tasks: each is done by keyboard alone in less than twenty actions") {
  CHECK(testing::files_of("tests/gui/tasks", ".keys").size() == 25);
  for (const std::filesystem::path& path : testing::files_of("tests/gui/tasks", ".keys"))
    carry_out(path, {"click", "doubleclick", "drag", "hover", "wheel"});
}

}  // namespace trellis::gui
