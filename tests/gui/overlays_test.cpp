#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "gui/fuzzy.hpp"
#include "gui/overlays/offers.hpp"
#include "gui/overlays/path.hpp"
#include "gui/script.hpp"
#include "gui/words.hpp"
#include "tests/folder.hpp"

namespace trellis::gui {
namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Script script(const std::string& state_folder = {}) { return Script({.state_folder = state_folder}, {1280, 800, 1}); }

}  // namespace

TEST_CASE("palette: letters fit in their order, best at beginnings and side by side") {
  CHECK_FALSE(fit("kj", "order j k"));
  REQUIRE(fit("ojk", "order j k"));
  CHECK(fit("ojk", "order j k")->at == std::vector<std::uint32_t>{0, 6, 8});
  CHECK(fit("graph", "Graph")->score > fit("graph", "export the graph")->score);
  CHECK(fit("sv", "Save View")->score > fit("sv", "passive")->score);
  CHECK(fit("", "anything")->at.empty());
}

TEST_CASE("palette: a command, an order and a theme are found by a part of their names, and carried out") {
  Script s = script();
  CHECK(s.run("open viterbi\n"
              "command window kernel forward\n"
              "command order i j k\n"
              "key Ctrl+P\n"
              "type ojik\n") == "");
  const Item* order = s.find("order:order j i k");
  REQUIRE(order);
  CHECK(order->state.starts_with("legal"));
  CHECK(s.find("order:order i j k") == nullptr);
  s.key("Enter");
  CHECK(s.run("expect verdict legal\nexpect not sheet\n") == "");
  CHECK(s.app().document().editor().text().find("order j i k") != std::string::npos);

  CHECK(s.run("command window palette theme\nexpect group theme\ntype light-s\nkey Enter\n") == "");
  CHECK(s.app().settings.theme == "light-safe");
  CHECK(s.run("command window palette kernel\nclick \"kernel:window kernel trace\"\nexpect kernel:trace chosen\n") ==
        "");
}

TEST_CASE("palette: a command goes on to its arguments, and is carried out as it was typed") {
  Script s = script();
  CHECK(s.run("open viterbi\nkey Ctrl+P\ntype \"show lat\"\nexpect usage show STAGE\nexpect word:lattice show "
              "lattice\nkey Tab\n") == "");
  CHECK(s.find("query")->label.starts_with("show lattice"));
  s.key("Enter");
  CHECK(s.run("expect not sheet\n") == "");
  CHECK(s.app().console.entries.back().command.starts_with("show lattice"));
  CHECK_FALSE(s.app().console.entries.back().output.empty());
}

TEST_CASE("gallery: an example is found and opened, and Escape leaves what was open") {
  Script s = script();
  CHECK(s.run("open diagonal\nkey Ctrl+G\ntype chol\nexpect example:cholesky Cholesky\nkey Enter\nexpect not "
              "sheet\nexpect file cholesky.tr\n") == "");
  CHECK(s.run("key Ctrl+G\nkey Escape\nexpect not sheet\nexpect file cholesky.tr\n") == "");
}

TEST_CASE("files: names complete, folders first") {
  const testing::Folder folder;
  std::filesystem::create_directory(folder.path() / "more");
  std::ofstream(folder.path() / "one.tr") << "param n = 4\n";
  std::ofstream(folder.path() / "other.txt") << "";
  const auto all = path_offers(folder.path().string() + "/", ".tr");
  REQUIRE(all.size() == 2);
  CHECK(all[0].name == "more/");
  CHECK(all[1].path == folder.path().string() + "/one.tr");
  CHECK(path_offers(folder.path().string() + "/o", "").size() == 2);
  CHECK(path_offers("/no/such/folder/", "").empty());
}

TEST_CASE("files: what is open is saved where the user says, and is asked about before it is lost") {
  const testing::Folder folder;
  const std::string path = (folder.path() / "mine.tr").string();
  Script s = script();
  CHECK(
      s.run("open cholesky\ncommand order i j k\ncommand window open diagonal\nexpect title Save the changes to "
            "cholesky.tr\nclick stay\nexpect not sheet\n"
            "expect file cholesky.tr\ncommand window open diagonal\nclick save\nexpect title Save as\nkey Ctrl+A\n") ==
      "");
  s.type(path);
  CHECK(s.run("click save\nexpect not sheet\nexpect file diagonal.tr\n") == "");  // saved, and went on
  CHECK(content_of(path).find("order i j k") != std::string::npos);
  CHECK(s.app().settings.recent.front() == path);

  CHECK(s.run("open " + path + "\ncommand order k j i\ncommand window quit\nexpect drop save\n") == "");
  CHECK_FALSE(s.app().leaving);
  CHECK(s.run("click drop\n") == "");
  CHECK(s.app().leaving);
  CHECK(content_of(path).find("order k j i") == std::string::npos);
}

TEST_CASE("files: a text that was never saved survives the end of the process, and is offered by the next one") {
  const testing::Folder folder;
  const pid_t child = fork();
  if (child == 0) {
    // Nothing is left to be done at its end: it is killed while it draws.
    Script s = script(folder.path().string());
    s.app().open("diagonal");
    s.app().document().editor().insert("# mine\n");
    for (int frame = 0; frame < 200; ++frame) s.frame();
    raise(SIGKILL);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  Script s = script(folder.path().string());
  CHECK(s.run("expect title Take up\nclick recover\nexpect not sheet\n") == "");
  CHECK(s.app().document().editor().text().starts_with("# mine\n"));
  CHECK(s.app().document().modified());
  // It is this process's own now, and goes once nothing is unsaved.
  CHECK(std::ranges::count_if(std::filesystem::directory_iterator(folder.path()), [](const auto& entry) {
          return entry.path().filename().string().starts_with("unsaved-");
        }) == 1);
  s.app().document().saved((folder.path() / "x.tr").string());
  s.app().keep();
  CHECK_FALSE(std::filesystem::exists(folder.path() / ("unsaved-" + std::to_string(getpid()) + ".json")));
}

TEST_CASE(
    "export: a pane as a picture, as SVG, as text and as what the engine knows of it, and the session as program and "
    "report") {
  const testing::Folder folder;
  const auto at = [&](const std::string& name) { return (folder.path() / name).string(); };
  Script s = script();
  REQUIRE(s.run("open cholesky\n") == "");
  for (const std::string kind : {"png", "svg", "dot", "json", "text", "tr", "report"})
    CHECK(s.run("command window export " + kind + " " + in_quotes(at("x." + kind + (kind == "report" ? ".html" : ""))) +
                " graph\n") == "");
  CHECK(content_of(at("x.png")).substr(1, 3) == "PNG");
  CHECK(content_of(at("x.svg")).starts_with("<svg"));
  CHECK(content_of(at("x.svg")).find("Graph") != std::string::npos);
  CHECK(content_of(at("x.dot")).starts_with("digraph"));
  CHECK(content_of(at("x.json")).starts_with("{"));
  CHECK(content_of(at("x.text")).find("L(") != std::string::npos);
  CHECK(content_of(at("x.tr")) == s.app().document().editor().text());
  CHECK(content_of(at("x.report.html")).starts_with("<!doctype html>"));
  CHECK(s.app().notes.last().words == "written " + at("x.report.html"));

  CHECK(s.run("command window pane graph\nkey Ctrl+E\nexpect kind:dot DOT\nclick kind:svg\nkey Ctrl+A\n") == "");
  s.type(at("by-hand.svg"));
  CHECK(s.run("click export\nexpect not sheet\n") == "");
  CHECK(content_of(at("by-hand.svg")).starts_with("<svg"));
  CHECK(s.run("command window export svg /no/such/folder/x.svg graph\n") == "");
  CHECK(s.app().notes.last().failed);
}

}  // namespace trellis::gui
